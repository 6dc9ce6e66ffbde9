import CountersignTesting
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignGate

@Suite("A gate while its server gives no answer", .timeLimit(.minutes(1)))
struct GateOutageTests {
    private static let metadata = "/.well-known/openid-configuration"

    @Test func `lets a request wait for a server that hangs`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await client.signedIn()
            test.server.change { ($0.hanging, $0.isSignedIn) = (["/introspect"], false) }
            test.clock.advance(by: .seconds(10))
            async let first = client.check("/", cookie: cookie)
            await test.clock.sleepers()
            test.server.change { $0.hanging = [] }
            test.clock.advance(by: .seconds(5))
            let waited = try await first
            #expect(waited.status == .unauthorized)
        }
    }

    @Test func `lets no further request wait for a server that hangs`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await client.signedIn()
            let asked = test.server.count(of: "/introspect")
            test.server.change { $0.hanging = ["/introspect"] }
            test.clock.advance(by: .seconds(10))
            async let first = client.check("/", cookie: cookie)
            await test.clock.sleepers()
            test.clock.advance(by: .seconds(5))
            let waited = try await first
            #expect(waited.status == .ok)
            test.clock.advance(by: .seconds(3))
            for _ in 0..<3 { #expect(try await client.check("/", cookie: cookie).status == .ok) }
            await test.clock.sleepers()
            #expect(test.server.count(of: "/introspect") == asked + 2)
            test.clock.advance(by: .seconds(5))
        }
    }

    /// Signs in, and has a check fail; the person signs out at the server before it answers again.
    private func cookieAfterFailure(of test: GateUnderTest, _ client: GateClient) async throws -> String {
        let cookie = try await client.signedIn()
        test.server.change { $0.isAway = true }
        test.clock.advance(by: .seconds(10))
        #expect(try await client.check("/", cookie: cookie).status == .ok)
        test.server.change { ($0.isAway, $0.isSignedIn) = (false, false) }
        return cookie
    }

    @Test func `checks a session behind its requests after a failure`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await cookieAfterFailure(of: test, client)
            test.clock.advance(by: .seconds(3))
            var status = try await client.check("/", cookie: cookie).status
            #expect(status == .ok)
            while status == .ok { status = try await client.check("/", cookie: cookie).status }
            #expect(status == .unauthorized)
        }
    }

    @Test func `checks a session before its next request when the failure was long ago`() async throws {
        let test = try GateUnderTest(more: #""away": 3600,"#)
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await cookieAfterFailure(of: test, client)
            test.clock.advance(by: .seconds(60))
            #expect(try await client.check("/", cookie: cookie).status == .unauthorized)
        }
    }

    @Test func `asks for a session once in each pause`() async throws {
        let test = try GateUnderTest(more: #""recheck": 100,"#)
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await client.signedIn()
            test.server.change { $0.isAway = true }
            test.clock.advance(by: .seconds(50))
            for _ in 0..<2 {
                let asked = test.server.count(of: "/introspect")
                repeat {
                    #expect(try await client.check("/", cookie: cookie).status == .ok)
                } while test.server.count(of: "/introspect") == asked
                for _ in 0..<20 { #expect(try await client.check("/", cookie: cookie).status == .ok) }
                #expect(test.server.count(of: "/introspect") == asked + 1)
                // Waits for the check behind the requests, and begins another.
                #expect(try await client.get("/gate/signed-out", cookie: cookie).status == .found)
                #expect(test.server.count(of: "/introspect") == asked + 2)
                test.clock.advance(by: .seconds(3))
            }
        }
    }

    @Test func `delays no check by metadata that have to be renewed`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        test.server.change { $0.lifetime = 100_000 }
        try await test.with { client in
            let cookie = try await client.signedIn()
            test.server.change { $0.hanging = [Self.metadata] }
            test.clock.advance(by: .seconds(3_600))
            #expect(try await client.check("/", cookie: cookie).status == .ok)
            await test.clock.sleepers()
            #expect(test.server.count(of: Self.metadata) == 2)
            test.clock.advance(by: .seconds(5))
        }
    }

    @Test func `looks for metadata that it lacks once in each pause`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            test.server.change { $0.isAway = true }
            for _ in 0..<3 {
                let response = try await client.get("/gate/sign-in")
                #expect(response.status == .serviceUnavailable)
            }
            #expect(test.server.count(of: Self.metadata) == 1)
            test.server.change { $0.isAway = false }
            test.clock.advance(by: .seconds(3))
            #expect(try await client.get("/gate/sign-in").status == .found)
        }
    }
}
