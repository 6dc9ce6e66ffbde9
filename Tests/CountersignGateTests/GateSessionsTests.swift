import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignGate

@Suite("A session at a gate")
struct GateSessionsTests {
    @Test func `is checked at the server as often as the configuration says`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await client.signedIn()
            let asked = test.server.count(of: "/introspect")
            for _ in 0..<5 { #expect(try await client.check("/", cookie: cookie).status == .ok) }
            #expect(test.server.count(of: "/introspect") == asked)
            test.clock.advance(by: .seconds(10))
            #expect(try await client.check("/", cookie: cookie).status == .ok)
            #expect(test.server.count(of: "/introspect") == asked + 1)
        }
    }

    @Test func `ends within that time with the person's sign-in`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await client.signedIn()
            test.server.change { $0.isSignedIn = false }
            test.clock.advance(by: .seconds(10))
            #expect(try await client.check("/", cookie: cookie).status == .unauthorized)
            test.server.change { $0.isSignedIn = true }
            #expect(try await client.check("/", cookie: cookie).status == .unauthorized)
        }
    }

    @Test func `lasts for a while when the server is away, and never longer`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await client.signedIn()
            test.server.change { $0.isAway = true }
            test.clock.advance(by: .seconds(59))
            #expect(try await client.check("/", cookie: cookie).status == .ok)
            test.clock.advance(by: .seconds(1))
            #expect(try await client.check("/", cookie: cookie).status == .serviceUnavailable)
            test.server.change { $0.isAway = false }
            test.clock.advance(by: .seconds(3))
            #expect(try await client.check("/", cookie: cookie).status == .ok)
        }
    }

    @Test func `survives a restart, after which the server is asked first`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        let box = CookieBox()
        try await test.with { client in await box.put(try await client.signedIn()) }
        test.server.change { $0.isAway = true }
        try await test.with { client in
            let response = try await client.check("/", cookie: await box.cookie)
            #expect(response.status == .serviceUnavailable)
        }
        test.server.change { $0.isAway = false }
        try await test.with { client in
            let response = try await client.check("/", cookie: await box.cookie)
            #expect(response.status == .ok)
        }
    }

    @Test func `gets new tokens before its own expire, and learns what they say of the person`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await client.signedIn()
            #expect(test.server.count(of: "/token") == 1)
            test.server.change { $0.email = "other@example.com" }
            test.clock.advance(by: .seconds(3_590))
            let response = try await client.check("/", cookie: cookie)
            #expect(response.status == .ok)
            #expect(response.passed(.email) == "other@example.com")
            #expect(test.server.count(of: "/token") == 2)
        }
    }

    @Test func `gives way to a newer one when there are too many`() async throws {
        let test = try GateUnderTest(more: #""most-sessions": 1,"#)
        defer { test.remove() }
        try await test.with { client in
            let (first, second) = (try await client.signedIn(), try await client.signedIn())
            #expect(try await client.check("/", cookie: first).status == .unauthorized)
            #expect(try await client.check("/", cookie: second).status == .ok)
        }
    }

    @Test func `takes its file along when it gives way or its time is over`() async throws {
        let test = try GateUnderTest(more: #""most-sessions": 1, "session-lifetime": 60,"#)
        defer { test.remove() }
        try await test.with { client in
            _ = try await client.signedIn()
            let first = try test.sessionFiles
            let cookie = try await client.signedIn()
            let second = try test.sessionFiles
            #expect(first.count == 1 && second.count == 1 && first != second)
            test.clock.advance(by: .seconds(60))
            #expect(try await client.check("/", cookie: cookie).status == .unauthorized)
            let third = try test.sessionFiles
            #expect(third == [])
        }
    }

    @Test func `is removed after a restart where there are too many`() async throws {
        let test = try GateUnderTest(more: #""most-sessions": 2,"#)
        defer { test.remove() }
        try await test.with { client in _ = try await client.signedIn() }
        let folder = test.folder.appending(component: "sessions")
        let files = try test.sessionFiles
        let file = try #require(files.first)
        let session = try Data(contentsOf: folder.appending(component: file))
        for letter in ["a", "b", "c"] {
            let copy = folder.appending(component: "\(letter)\(file.dropFirst())")
            let isWritten = FileManager.default.createFile(
                atPath: copy.path, contents: session, attributes: [.posixPermissions: 0o600])
            #expect(isWritten)
        }
        try await test.with { _ in }
        let left = try test.sessionFiles
        #expect(left.count == 2)
    }

    @Test func `is checked at the server beside API clients of the same audience`() async throws {
        let test = try GateUnderTest(audience: GateServer.issuer)
        defer { test.remove() }
        try await test.with { client in
            let token = [("Authorization", "Bearer a-token")]
            #expect(try await client.check("/api/a", fields: token).status == .ok)
            let cookie = try await client.signedIn()
            test.server.change { $0.isSignedIn = false }
            let response = try await client.get("/gate/signed-out", cookie: cookie)
            #expect(response.headers[.setCookie]?.contains("Max-Age=0") == true)
        }
    }

    @Test func `is checked at the return from a sign-out, whatever a check says that began before`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await client.signedIn()
            test.server.change { $0.hanging = ["/introspect"] }
            test.clock.advance(by: .seconds(5))
            #expect(try await client.check("/", cookie: cookie).status == .ok)
            await test.clock.sleepers()
            test.server.change { ($0.hanging, $0.isSignedIn) = ([], false) }
            async let page = client.get("/gate/signed-out", cookie: cookie)
            test.clock.advance(by: .seconds(5))
            let left = try await page
            #expect(left.status == .ok)
            #expect(left.headers[.setCookie]?.contains("Max-Age=0") == true)
        }
    }

    @Test func `outlives the answer of another server in place of its own`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await client.signedIn()
            test.server.change { $0.isMisrouted = true }
            test.clock.advance(by: .seconds(3_590))
            #expect(try await client.check("/", cookie: cookie).status == .serviceUnavailable)
            test.server.change { $0.isMisrouted = false }
            test.clock.advance(by: .seconds(3))
            #expect(try await client.check("/", cookie: cookie).status == .ok)
        }
    }

    @Test func `counts at its own site alone, and with one cookie`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await client.signedIn()
            let other = [
                ("X-Forwarded-Method", "GET"), ("X-Forwarded-Proto", "https"),
                ("X-Forwarded-Host", "films.example.com"), ("X-Forwarded-Uri", "/"),
            ]
            let films = try #require(test.configuration.sites["films.example.com"])
            let moved = "\(films.sessionPlace.cookieName)\(cookie.drop { $0 != "=" })"
            #expect(try await client.ask(other, cookie: moved).status == .unauthorized)
            #expect(try await client.check("/", cookie: "\(cookie); \(cookie)").status == .unauthorized)
            #expect(try await client.check("/", cookie: "a=b; \(cookie); c=d").status == .ok)
        }
    }

    @Test func `ends by a request of its own site alone`() throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        let cookie = SessionCookie(revealing: "a")
        let text = """
            {"place": "http://localhost", "person": {"subject": "anna-1"}, "access": "a", "accessEnds": 0,
             "ends": 2000000000}
            """
        let stored = try JSONDecoder().decode(StoredSession.self, from: Data(text.utf8))
        test.files.put(stored.session, for: cookie.digest)
        let sessions = test.sessions
        sessions.restore()
        #expect(sessions.end(cookie, at: "http://localhost:81") == nil)
        let files = try test.sessionFiles
        #expect(files.count == 1)
        #expect(sessions.end(cookie, at: "http://localhost") == stored.session)
        let left = try test.sessionFiles
        #expect(left == [])
    }

    /// Carries a cookie from one process of a gate to the next.
    private actor CookieBox {
        private(set) var cookie = ""

        func put(_ cookie: String) { self.cookie = cookie }
    }
}
