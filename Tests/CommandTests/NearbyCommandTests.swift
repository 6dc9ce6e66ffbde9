import Foundation
import Testing

@Suite("A TV and a phone in two terminals", .timeLimit(.minutes(10)))
struct NearbyCommandTests {
    @Test func `meet over six digits, and then over what they remember of each other`() async throws {
        let stage = try await NearbyStage.set()
        let (phone, tv) = (try stage.phone("--remember"), try stage.tv("--remember"))
        _ = try await phone.terminal.printed { $0.contains("in front of you") }
        #expect(!phone.terminal.printed.contains("Living room TV"), "Nobody is told who asks before it is sure.")
        phone.answer("yes")
        let shown = try await tv.printed { $0.contains("Type ") }
        let digits = try #require(shown.firstMatch(of: /Type (\d{3} \d{3}) in the app on ‘Test phone’/)).1
        phone.answer(String(digits))
        let asked = try await phone.terminal.printed { $0.contains("Approve?") }
        #expect(asked.contains("Living room TV wants to be signed in as Anna Example."))
        #expect(asked.contains("It calls itself ‘Test TV’."))
        phone.answer("yes")
        let signedIn = try await tv.finish()
        #expect(signedIn.status == 0, "\(signedIn.output)")
        #expect(signedIn.output.contains("Signed in as Anna Example (anna)."))
        #expect(try await phone.terminal.finish().status == 0)

        let (again, second) = (try stage.phone("--remember"), try stage.tv("--remember"))
        _ = try await again.terminal.printed { $0.contains("Approve?") }
        again.answer("yes")
        let resumed = try await second.finish()
        #expect(resumed.status == 0 && !resumed.output.contains("Type "), "\(resumed.output)")
        _ = try await again.terminal.finish()

        let list = try await stage.command.run("countersign nearby paired list --json").output
        let known = try #require(list.firstMatch(of: /"id" : "([a-z2-7]+)"/)).1
        #expect(try await stage.command.run("countersign nearby paired forget \(known)").status == 0)
        #expect(try await stage.command.run("countersign nearby paired forget nobody").status == 1)
        _ = try await stage.server.stop()
    }

    @Test func `are told of a wrong code, and of a no`() async throws {
        let stage = try await NearbyStage.set()
        let (phone, tv) = (try stage.phone(), try stage.tv("--json"))
        _ = try await phone.terminal.printed { $0.contains("in front of you") }
        phone.answer("yes")
        let first = try await Self.code(in: tv, besides: nil)
        phone.answer(first == "000000" ? "111111" : "000000")
        _ = try await phone.terminal.printed { $0.contains("Not the code that screen shows.") }
        _ = try await phone.terminal.printed { $0.components(separatedBy: "in front of you").count == 3 }
        phone.answer("yes")
        phone.answer(try await Self.code(in: tv, besides: first))
        _ = try await phone.terminal.printed { $0.contains("Approve?") }
        phone.answer("no")
        #expect(try await phone.terminal.finish().status == 3)
        let denied = try await tv.finish()
        #expect(denied.status == 3, "\(denied.output)")
        #expect(denied.output.contains(#""state":"declined""#))
        _ = try await stage.server.stop()
    }

    @Test func `say what is missing`() async throws {
        let command = try CommandUnderTest()
        let nowhere = try await command.run("countersign approve --issuer http://127.0.0.1:1 --client phone")
        #expect(nowhere.status == 64 && nowhere.output.contains("--nearby"))
        let stranger = try await command.run("countersign approve --nearby --issuer http://127.0.0.1:1 --client phone")
        #expect(stranger.status != 0 && stranger.output.contains("countersign: "))
        let other = try await command.run("countersign signin --nearby --cpa http://127.0.0.1:1 --domain a.example")
        #expect(other.status == 64)
        #expect(try await command.run("countersign nearby paired list").output == "No device is remembered.\n")
    }

    /// The digits that the TV shows, in its JSON lines; others than `earlier`.
    private static func code(in tv: RunningCommand, besides earlier: String?) async throws -> String {
        func last(_ text: String) -> String? { text.matches(of: /"code":"(\d{6})"/).last.map { String($0.1) } }
        let text = try await tv.printed { last($0) != nil && last($0) != earlier }
        return try #require(last(text))
    }
}

/// A server, and a phone that is signed in to it.
private struct NearbyStage {
    let server: RunningServer
    /// The phone's home: it shares nothing with the TV.
    let command: CommandUnderTest
    /// Nobody else on this machine is met.
    let app = "test-\(UUID().uuidString)"

    static func set() async throws -> NearbyStage {
        let server = try await RunningServer.start()
        _ = try await server.command.run("countersign admin client add phone --scope 'openid nearby_approve'")
        let stage = NearbyStage(server: server, command: try CommandUnderTest())
        let signin = try stage.command.start(
            "exec countersign signin --issuer \(server.base) --client phone --scope 'openid nearby_approve' --yes"
        )
        let shown = try await signin.printed { $0.contains("works until") }
        let code = try #require(shown.firstMatch(of: /[A-Z]{4}-[A-Z]{4}/)).0
        let person = PersonAtBrowser(at: server.base)
        try await person.decide("approve", on: String(code), as: "anna", password: RunningServer.password)
        #expect(try await signin.finish().status == 0)
        return stage
    }

    private var meeting: String { "--nearby --issuer \(server.base) --interface lo --app \(app)" }

    func phone(_ flags: String = "") throws -> AnsweringTerminal {
        try AnsweringTerminal(
            "exec countersign approve \(meeting) --client phone --device-name 'Test phone' --once \(flags)",
            in: command
        )
    }

    func tv(_ flags: String) throws -> RunningCommand {
        let line = "exec countersign signin \(meeting) --client tv --device-name 'Test TV' --yes \(flags)"
        return try server.command.start(line)
    }
}

/// A terminal at which somebody answers when they are asked.
private struct AnsweringTerminal {
    let terminal: RunningCommand
    private let keyboard: FileHandle

    init(_ line: String, in command: CommandUnderTest) throws {
        let pipe = command.home.appendingPathComponent("keyboard-\(UUID().uuidString.prefix(8))").path
        guard mkfifo(pipe, 0o600) == 0, let keyboard = FileHandle(forUpdatingAtPath: pipe) else {
            throw CocoaError(.fileWriteUnknown)
        }
        self.keyboard = keyboard
        terminal = try command.start("\(line) < \(pipe)")
    }

    func answer(_ text: String) {
        try? keyboard.write(contentsOf: Data("\(text)\n".utf8))
    }
}
