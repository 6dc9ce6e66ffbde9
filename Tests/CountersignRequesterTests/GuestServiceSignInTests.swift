import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

import FoundationEssentialsCompat

@Suite("A sign-in of a service")
struct GuestServiceSignInTests {
    private let store = MemoryTokenStore()

    /// A server that lets services act for so many seconds, and answers with the end of the sign-in.
    private func server(longest: Int? = 2_592_000, ends: Int? = 86_400) throws -> ScriptedServer {
        let answer = TokenResponse(
            accessToken: AccessToken(revealing: "access-1"), expiresIn: 300,
            refreshToken: RefreshToken(revealing: "refresh-1"), authorizationExpiresIn: ends)
        let server = try ScriptedServer(.json(answer))
        var metadata = server.metadata
        metadata.serviceMaxLifetime = longest
        server.transport.reply(at: ScriptedServer.path, with: .json(metadata))
        return server
    }

    private func service(at server: ScriptedServer, for seconds: TimeInterval = 86_400) -> GuestService {
        GuestService(purpose: "backup on nas", ends: server.clock.date + seconds)
    }

    @Test func `tells purpose and end, and stores its tokens apart from those of the app`() async throws {
        let server = try server()
        let service = service(at: server)
        let (result, _) = await server.signIn(keepingTokensIn: store) { $0.service = service }.run()
        let signedIn = try result.get()
        let form = try #require(server.transport.sent(to: "/device_authorization").first?.form)
        #expect(form["service_purpose"] == "backup on nas")
        #expect(form["service_until"] == service.ends.numericDate.description)
        let key = TokenStoreKey(.service, server.issuer.text, server.client.rawValue, "backup on nas")
        #expect(try await store.signedIn(for: key) == signedIn)
        #expect(try await store.signedIn(for: server.signInKey) == nil)
        #expect(try await store.signedIn(for: key)?.ends != nil)
    }

    @Test func `says since when its time is over`() async throws {
        let server = try server(ends: 600)
        let service = service(at: server)
        _ = try await server.signIn(keepingTokensIn: store) { $0.service = service }.run().result.get()
        let key = TokenStoreKey(.service, server.issuer.text, server.client.rawValue, "backup on nas")
        let end = try #require(try await store.signedIn(for: key)?.ends)
        var options = SignInOptions()
        options.service = service
        let tokens = TokenRefresher(
            at: server.issuer, as: server.client, keepingTokensIn: store, options: options, in: server.context)
        server.clock.advance(by: .seconds(3600))
        let error = await #expect(throws: SignInError(.signedOut, because: "")) { try await tokens.signedIn() }
        #expect(error?.sentence == "Its time is over since \(end.formatted(.iso8601)). Sign in again.")
    }

    @Test(arguments: [nil, 0])
    func `starts nothing at a server that knows no services`(longest: Int?) async throws {
        let server = try server(longest: longest)
        let service = service(at: server)
        let (result, _) = await server.signIn { $0.service = service }.run()
        let error = #expect(throws: SignInError(.flowNotOffered, because: "")) { try result.get() }
        #expect(error?.sentence.hasSuffix("so nothing was started.") == true)
        #expect(server.transport.sent(to: "/device_authorization").isEmpty)
    }

    @Test func `starts nothing with an end that the server does not allow, and says which it does`() async throws {
        let server = try server(longest: 3600)
        let service = service(at: server)
        let (result, _) = await server.signIn { $0.service = service }.run()
        let error = #expect(throws: SignInError(.refused, because: "")) { try result.get() }
        #expect(error?.sentence.contains("at the latest") == true)
        #expect(server.transport.sent(to: "/device_authorization").isEmpty)
    }

    @Test func `gives tokens back that have no end`() async throws {
        let server = try server(ends: nil)
        let service = service(at: server)
        let (result, _) = await server.signIn(keepingTokensIn: store) { $0.service = service }.run()
        #expect(throws: SignInError(.badAnswer, because: "")) { try result.get() }
        #expect(Set(server.revoked) == ["refresh-1", "access-1"])
        #expect(await store.keys().isEmpty)
    }
}
