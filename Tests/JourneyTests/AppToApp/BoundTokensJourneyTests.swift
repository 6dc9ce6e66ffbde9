import Countersign
import CountersignRequester
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import NIOConcurrencyHelpers
import Testing

@Suite("An app whose tokens are bound to its key, at the real server", .timeLimit(.minutes(10)))
struct BoundTokensJourneyTests {
    @Test func `reads who is signed in, by proofs that count once`() async throws {
        try await JourneyServer.with { server in
            let app = try await BoundApp.signedIn(at: server)
            let asked = try server.userInfo()
            let request = try await app.tokens.authorized(asked)
            let answer = try await app.send(request)
            #expect(answer.response.status == .ok)
            #expect(String(decoding: answer.body, as: UTF8.self).contains(JourneyPerson.anna.subject.rawValue))
            #expect(try await app.tokens.authorized(request, after: answer.response) == nil)

            // The same request once more, as one who overheard it would send it.
            #expect(try await app.send(request).response.status == .unauthorized)
            // The next one is good again.
            #expect(try await app.send(try await app.tokens.authorized(asked)).response.status == .ok)
        }
    }

    @Test func `leaves nothing to a thief of its tokens`() async throws {
        try await JourneyServer.with { server in
            let app = try await BoundApp.signedIn(at: server)
            let stolen = try await app.tokens.signedIn()
            var request = try server.userInfo()
            request.headerFields[.authorization] = BearerHeader.value(for: stolen.accessToken)
            #expect(try await app.send(request).response.status == .unauthorized, "as a bearer token")

            let thief = DPoPKey(drawingFrom: .system)
            let target = try #require(DPoPTarget(.get, server.issuer.appending("userinfo")))
            request.headerFields[.authorization] = DPoPHeader.value(for: stolen.accessToken)
            #expect(try await app.send(request).response.status == .unauthorized, "without a proof")
            request.headerFields[.dpop] = try thief.proof(
                for: target,
                presenting: stolen.accessToken,
                at: server.clock.date,
                drawingFrom: .system
            )
            #expect(try await app.send(request).response.status == .unauthorized, "with another key")

            // The refresh token is worth nothing to the thief, and trying it ends nothing.
            let refresh = try #require(stolen.refreshToken)
            let token = try #require(DPoPTarget(.post, server.issuer.appending("token")))
            for key in [thief, nil] {
                var form = TokenRequest.refresh(refresh, scope: .none).form
                form["client_id"] = JourneyParties.recipes.rawValue
                var fields: HTTPFields = [:]
                fields[.dpop] = try key?.proof(for: token, at: server.clock.date, drawingFrom: .system)
                let answer = try await LoopbackHTTP.post(form, to: "\(server.issuer)/token", fields)
                #expect(answer.response.status == .badRequest)
            }
            let renewed = try await app.tokens.refresh()
            #expect(renewed.key == stolen.key)
            #expect(renewed.accessToken != stolen.accessToken)
            #expect(try await app.send(try await app.tokens.authorized(try server.userInfo())).response.status == .ok)
        }
    }

    @Test func `uses the key that is kept after a new start, and gets new tokens when its token is over`() async throws
    {
        try await JourneyServer.with { server in
            let app = try await BoundApp.signedIn(at: server)
            let first = try await app.tokens.signedIn()
            server.clock.advance(by: .seconds(3600))
            let restarted = app.refresher()
            let request = try await restarted.authorized(try server.userInfo())
            #expect(try await app.send(request).response.status == .ok)
            #expect(try await restarted.signedIn().key == first.key)
            #expect(try await restarted.signOut().isRevoked)
            #expect(try await app.send(request).response.status == .unauthorized)
        }
    }

    @Test func `can be a screen that shows a code`() async throws {
        try await JourneyServer.with { server in
            let store = MemoryTokenStore()
            let requester = JourneyRequester(at: server, keepingTokensIn: store, binding: .required)
            let (signingIn, invitation) = try await requester.begin()
            let anna = JourneyVisitor(at: server.issuer)
            try await anna.signIn(as: .anna)
            try await anna.decide(.approve, on: try #require(invitation.userCode))
            let signedIn = try await signingIn.value.get()
            #expect(signedIn.key != nil)
            let tokens = requester.refresher(of: store)
            let answer = try await requester.transport.send(
                try await tokens.authorized(try server.userInfo()),
                body: [],
                within: .seconds(60)
            )
            #expect(answer.response.status == .ok)
        }
    }
}

/// An app with a scheme of its own, signed in as Anna.
private struct BoundApp {
    let server: JourneyServer
    let store: MemoryTokenStore
    let tokens: TokenRefresher

    static func signedIn(at server: JourneyServer) async throws -> BoundApp {
        let (opener, store) = (SystemOpener(), MemoryTokenStore())
        let signIn = AppToAppSignIn(
            at: ProviderProfile(discoveredAt: server.issuer),
            as: JourneyParties.recipes,
            returningTo: AppRedirects(native: "com.example.recipes:/signed-in"),
            for: Scope([.openid, .profile]),
            opening: opener,
            keepingTokensIn: store,
            in: RequesterContext(over: OverheardTransport(), clock: server.clock.skipping, random: .system)
        )
        _ = try await signIn.start()
        let anna = JourneyVisitor(at: server.issuer)
        try await anna.signIn(as: .anna)
        let back = try await anna.authorize(try #require(opener.opened.last).absoluteString)
        guard case .granted(.signedIn(let signedIn)) = try await signIn.finish(with: back) else {
            throw NotSignedIn()
        }
        #expect(signedIn.key != nil)
        return BoundApp(server: server, store: store, tokens: refresher(of: store, at: server))
    }

    struct NotSignedIn: Error {}

    func refresher() -> TokenRefresher { Self.refresher(of: store, at: server) }

    private static func refresher(of store: MemoryTokenStore, at server: JourneyServer) -> TokenRefresher {
        TokenRefresher(
            at: server.issuer,
            as: JourneyParties.recipes,
            keepingTokensIn: store,
            in: RequesterContext(over: OverheardTransport(), clock: server.clock.skipping, random: .system)
        )
    }

    func send(_ request: HTTPRequest) async throws -> HTTPAnswer {
        try await AsyncHTTPTransport().send(request, body: [], within: .seconds(60))
    }
}

extension JourneyServer {
    /// A request for what the server knows of the person.
    nonisolated fileprivate func userInfo() throws -> HTTPRequest {
        try Endpoint(issuer.appending("userinfo")).request(.get)
    }
}
