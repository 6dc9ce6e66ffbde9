import Testing

@testable import CountersignCommand

@Suite("The name of a session's folder")
struct HostSessionNameTests {
    /// sshd, its process for an attempt, a shell, and sudo in it.
    private static let sshd = HostProcess("100.1")!
    private static let attempt = HostProcess("101.2")!
    private static let shell = HostProcess("200.3")!
    private static let sudo = HostProcess("201.4")!

    @Test(arguments: [
        HostSessionName(.asking(attempt, parent: sshd), attempt: "12"),
        HostSessionName(.asking(attempt, parent: nil), attempt: "12"),
        HostSessionName(.leading(sshd), attempt: "0034"),
    ])
    func `is read as it was written`(name: HostSessionName) {
        #expect(HostSessionName(name.description) == name)
    }

    @Test(arguments: [
        "", "101.2-100.1", "101.2-100.1-x", "101.2-shut-1", "open-100.1-1", "101.2-100.1-1-2", "../../etc",
    ])
    func `is not read from other words`(text: String) {
        #expect(HostSessionName(text) == nil)
    }

    @Test func `lets the process that asked open the session, and the one that started that`() {
        let name = HostSessionName(.asking(Self.attempt, parent: Self.sshd), attempt: "1")
        #expect(name.isAsked(by: Self.attempt) && name.isAsked(by: Self.sshd) && !name.isAsked(by: Self.shell))
        let open = name.led(by: Self.sshd)
        #expect(open == HostSessionName(.leading(Self.sshd), attempt: "1"))
        #expect(!open.isAsked(by: Self.sshd) && !open.isAsked(by: Self.attempt))
    }

    @Test(arguments: [
        // The attempt before of the same connection, whose process has gone, and of the same process.
        (HostSessionName(.asking(attempt, parent: sshd), attempt: "1"), [sshd], true),
        (HostSessionName(.asking(sudo, parent: shell), attempt: "1"), [sshd, sudo, shell], true),
        // That of another connection before it is open, and of another program that was started by the same.
        (HostSessionName(.asking(attempt, parent: shell), attempt: "1"), [sshd, shell], false),
        (HostSessionName(.asking(attempt, parent: sshd), attempt: "1"), [sshd, attempt], false),
        // All have gone.
        (HostSessionName(.asking(attempt, parent: shell), attempt: "1"), [sshd], true),
        (HostSessionName(.asking(attempt, parent: nil), attempt: "1"), [sshd], true),
        // Open sessions, also that of the process that asks, and one that is over.
        (HostSessionName(.leading(sshd), attempt: "1"), [sshd], false),
        (HostSessionName(.leading(sudo), attempt: "1"), [sshd, sudo], false),
        (HostSessionName(.leading(shell), attempt: "1"), [sshd], true),
    ])
    func `is stale once nobody can open it`(name: HostSessionName, running: [HostProcess], isStale: Bool) {
        #expect(name.isStale(for: Self.sudo, of: Self.sshd, isRunning: running.contains) == isStale)
    }
}
