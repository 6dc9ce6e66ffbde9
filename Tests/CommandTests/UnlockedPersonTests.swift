import CommandFixture
import Foundation
import Testing

@Suite("A person who was locked and unlocked")
struct UnlockedPersonTests {
    /// The state before the lock: a screen's tokens, a browser, and an approval that no screen has picked up.
    private struct Before {
        let server: RunningServer
        let person: PersonAtBrowser
        let deviceCode: String

        static func begin() async throws -> Before {
            let server = try await RunningServer.start()
            let signin = try server.command.start(
                "exec \(server.signInLine) --yes")
            let code = try await signin.shownCode()
            let person = PersonAtBrowser(at: server.base)
            try await person.decide("approve", on: code, as: "anna", password: RunningServer.password)
            #expect(try await signin.finish().status == 0)

            let asked = try await server.post("/device_authorization", "client_id=tv&scope=openid").body
            let deviceCode = try #require(asked.firstMatch(of: /"device_code":"([^"]+)"/)).1
            let second = String(try #require(asked.firstMatch(of: /"user_code":"([A-Z-]+)"/)).1)
            try await person.open("/activate")
            try await person.submit("/activate", ["user_code": second])
            try await person.submit("/activate/decision", ["user_code": second, "decision": "approve"])
            return Before(server: server, person: person, deviceCode: String(deviceCode))
        }

        func admin(_ words: String) async throws {
            let outcome = try await server.administer("user \(words)")
            #expect(outcome.status == 0, "\(outcome.output)")
        }

        /// Whether the screen gets new tokens by its refresh token.
        func refreshes() async throws -> Bool {
            try await server.command.run("countersign token renew").status == 0
        }

        /// Whether the browser is signed in.
        func isSignedIn() async throws -> Bool {
            try await person.open("/account")
            return await person.text.contains("Where you are signed in")
        }

        /// Whether the approval is redeemed.
        func redeems() async throws -> Bool {
            let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
            let form = "grant_type=\(grant)&client_id=tv&device_code=\(deviceCode)"
            return try await server.post("/token", form).status == 200
        }
    }

    @Test func `has nothing of what they had before`() async throws {
        let before = try await Before.begin()
        try await before.admin("lock anna")
        try await before.admin("unlock anna --yes")
        #expect(try await !before.refreshes())
        #expect(try await !before.isSignedIn())
        #expect(try await !before.redeems())
        _ = try await before.server.stop()
    }

    @Test func `keeps screens and apps where the operator says so; the lock has ended the rest for good`() async throws
    {
        let before = try await Before.begin()
        try await before.admin("lock anna")
        try await before.admin("unlock anna --keep-devices")
        #expect(try await before.refreshes())
        #expect(try await !before.isSignedIn())
        #expect(try await !before.redeems())
        _ = try await before.server.stop()
    }
}
