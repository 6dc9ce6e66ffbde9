import Countersign
import CountersignTesting
import CountersignWire
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

    @Test func `gets new tokens before its own expire`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await client.signedIn()
            #expect(test.server.count(of: "/token") == 1)
            test.clock.advance(by: .seconds(3_590))
            #expect(try await client.check("/", cookie: cookie).status == .ok)
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

    @Test func `counts at its own site alone, and with one cookie`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await client.signedIn()
            let other = [
                ("X-Forwarded-Method", "GET"), ("X-Forwarded-Proto", "https"),
                ("X-Forwarded-Host", "films.example.com"), ("X-Forwarded-Uri", "/"),
            ]
            let moved = cookie.replacing("countersign-gate=", with: "__Host-countersign-gate=")
            #expect(try await client.ask(other, cookie: moved).status == .unauthorized)
            #expect(try await client.check("/", cookie: "\(cookie); \(cookie)").status == .unauthorized)
            #expect(try await client.check("/", cookie: "a=b; \(cookie); c=d").status == .ok)
        }
    }

    /// Carries a cookie from one process of a gate to the next.
    private actor CookieBox {
        private(set) var cookie = ""

        func put(_ cookie: String) { self.cookie = cookie }
    }
}
