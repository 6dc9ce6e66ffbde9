import CommandFixture
import Foundation
import Testing

/// It waits for two minutes of real time, beside the other tests of the command.
@Suite("The link of a terminal", .timeLimit(.minutes(10)))
struct LinkByTheClockTests {
    @Test func `changes each minute for the same code, and only the newest ones count`() async throws {
        let server = try await RunningServer.start()
        let signin = try server.command.start(
            "exec \(server.signInLine) --yes --json")
        let code = try await signin.shownCode()
        // The third link comes after two minutes, and the first one counts no more.
        let links = /&at=([\w-]+)/
        let shown = try await signin.printed { $0.matches(of: links).count >= 3 }
        let marks = shown.matches(of: links).map { String($0.1) }
        #expect(Set(marks).count == marks.count)
        #expect(shown.matches(of: /"event":"invitation"/).count == 1 && shown.contains("\"event\":\"link\""))

        let person = PersonAtBrowser(at: server.base)
        try await person.signIn()
        func open(_ mark: String?) async throws {
            try await person.open("/activate?user_code=\(code)&at=\(mark ?? "")")
            try await person.submit("/activate", ["user_code": code, "by_link": "1"])
        }
        await #expect(throws: PersonAtBrowser.Refused.self) { try await open(marks.first) }
        try await open(marks.last)
        try await person.submit("/activate/decision", ["user_code": code, "decision": "approve"])
        let outcome = try await signin.finish()
        #expect(outcome.status == 0, "\(outcome.output)")
        _ = try await server.stop()
    }
}
