import Testing

@testable import CountersignCommand

@Suite("A line between the PAM module and the command")
struct PAMLineTests {
    @Test(arguments: [
        (PAMLine.info("Type 42"), "info Type 42"), (.prompt("a\nb\r\nc"), "prompt a\\nb\\nc"),
        (.prompt("\\n"), "prompt \\\\n"), (.log("x\ny"), "log x\u{FFFD}y"), (.verdict(.success), "success"),
        (.verdict(.unavailable), "unavailable"), (.logError("x\ny"), "log-error x\u{FFFD}y"),
    ])
    func `is one line for any text`(line: PAMLine, text: String) {
        #expect(line.text == text)
        #expect(!line.text.contains("\n"))
    }

    @Test(arguments: ["", "plain", "a\nb", "\\", "\\n", "\n\\\n", "日本\\語\n"])
    func `gives the text back`(text: String) {
        #expect(PAMLine.unescaped(PAMLine.escaped(text)) == text)
    }

    @Test(arguments: ["\\", "\\x41", "a\\", "\\\\\\"])
    func `has no other escape`(line: String) {
        #expect(PAMLine.unescaped(line) == nil)
    }
}

@Suite("The question of the PAM module")
struct PAMHeadTests {
    private static let lines = [
        "version 1", "event authenticate", "service sshd", "user anna", "rhost 10.1.2.3", "tty ssh", "pid 4321",
        "parent 4320", "timeout 120",
    ]

    @Test func `names the application, the user and the processes`() throws {
        let head = try PAMHead(Self.lines)
        #expect(head.event == .authenticate && head.service == "sshd" && head.user == "anna" && head.caller == nil)
        #expect(head.host == "10.1.2.3" && head.process == 4321 && head.parent == 4320 && head.timeLimit == 120)
        #expect(try PAMHead(Self.lines + ["ruser ben"]).caller == "ben")
    }

    @Test func `has no parent where that is outside of a container`() throws {
        #expect(try PAMHead(Self.lines.map { $0 == "parent 4320" ? "parent 0" : $0 }).parent == 0)
    }

    @Test func `has members that later versions add`() throws {
        #expect(try PAMHead(Self.lines + ["colour blue"]) == PAMHead(Self.lines))
    }

    @Test(arguments: ["version", "event", "service", "user", "pid", "parent", "timeout"])
    func `is refused without a member`(name: String) {
        #expect(throws: CommandError.self) { try PAMHead(Self.lines.filter { !$0.hasPrefix("\(name) ") }) }
    }

    @Test(arguments: ["user ben", "word", "rhost2 \\x", ""])
    func `is refused with a line twice, and with one that is none`(line: String) {
        #expect(throws: CommandError.self) { try PAMHead(Self.lines + [line]) }
    }

    @Test(arguments: [
        ("version 1", "version 2"), ("event authenticate", "event leave"), ("pid 4321", "pid 0"),
        ("pid 4321", "pid -1"), ("pid 4321", "pid 99999999999"), ("timeout 120", "timeout soon"),
    ])
    func `is refused with another value`(line: String, other: String) {
        #expect(throws: CommandError.self) { try PAMHead(Self.lines.map { $0 == line ? other : $0 }) }
    }
}

@Suite("A process of this system")
struct HostProcessTests {
    @Test func `is read from its line, whatever its name has`() {
        let numbers = (3...52).map(String.init).joined(separator: " ")
        #expect(HostProcess.start(in: "7 (a) b) (c) S \(numbers)") == 21)
        #expect(HostProcess.start(in: "7 (a) Z \(numbers)") == nil)
        #expect(HostProcess.start(in: "7 (a) S 1 2") == nil)
        #expect(HostProcess.start(in: "") == nil)
    }

    @Test(arguments: ["", "1", "1.2", "0.5", "-4.5", "4.-5", "4.5.6", "x.y"])
    func `is refused in other words`(text: String) {
        #expect(HostProcess(text) == nil)
    }

    @Test func `is another one with the same number and another start`() throws {
        let known = try #require(HostProcess("4321.99"))
        #expect(known.description == "4321.99")
        #expect(HostProcess(known.description) == known)
        #expect(HostProcess("4321.98") != known)
    }
}
