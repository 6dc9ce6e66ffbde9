import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

@Suite("A sign-in that phones nearby may approve")
struct NearbySignInTests {
    private static func link(_ number: UInt8) -> NearbyLinkID? {
        NearbyLinkID([UInt8](repeating: number, count: 32))
    }

    private func signIn(
        at server: ScriptedServer,
        nearby: NearbySignIn?,
        on clock: TimeSource? = nil,
        _ change: (inout SignInOptions) -> Void = { _ in }
    ) -> SignIn {
        var options = SignInOptions()
        options.wait = nil
        change(&options)
        return SignIn(
            at: server.issuer,
            as: server.client,
            for: .none,
            options: options,
            nearby: nearby,
            in: RequesterContext(over: server.transport, clock: clock ?? server.clock.skipping, random: .system)
        )
    }

    @Test func `begins with its challenge, and has then what goes over a link`() async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        let nearby = NearbySignIn()
        #expect(nearby.request == nil)
        _ = try await signIn(at: server, nearby: nearby).run { _ in .continue }

        let request = try #require(nearby.request)
        #expect(request.issuer == "https://id.example.com" && request.userCode == UserCodeText("WDJB-MJHT"))
        let asked = try #require(server.transport.sent(to: "/device_authorization").first)
        #expect(asked.form["nearby_challenge"] == request.verifier.challenge.description)
        #expect(server.transport.sent(to: "/token").allSatisfy { $0.form["nearby_link"] == nil })
    }

    @Test func `says nothing of all this where no phone is asked`() async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        _ = try await signIn(at: server, nearby: nil).run { _ in .continue }
        #expect(server.transport.sent(to: "/device_authorization").first?.form["nearby_challenge"] == nil)
    }

    @Test func `names a link at once that comes while the server holds a request open`() async throws {
        let server = try ScriptedServer(.silence, .silence, ScriptedServer.granted())
        let nearby = NearbySignIn()
        let signIn = signIn(at: server, nearby: nearby) { $0.wait = WaitPreference(seconds: 30) }
        async let result = signIn.run { _ in .continue }
        let links = try [#require(Self.link(1)), #require(Self.link(2))]
        for (count, link) in links.enumerated() {
            await server.transport.requests(count + 1, to: "/token")
            nearby.asked(over: link)
        }
        #expect(try await result.accessToken == AccessToken(revealing: "access-1"))
        let named = server.transport.sent(to: "/token").map { $0.form["nearby_link"] }
        #expect(named == [nil, "\(links[0])", "\(links[0]) \(links[1])"])
    }

    @Test func `asks at once, not after the first interval, when a phone nearby is asked`() async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        let nearby = NearbySignIn()
        let manual = server.clock
        let signIn = signIn(at: server, nearby: nearby, on: manual.source)
        async let result = signIn.run { _ in .continue }
        await manual.sleepers(1)
        nearby.asked(over: try #require(Self.link(1)))
        #expect(try await result.accessToken == AccessToken(revealing: "access-1"))
        let named = server.transport.sent(to: "/token").map { $0.form["nearby_link"] }
        #expect(named == [Self.link(1)?.description])
    }

    @Test func `takes the tokens from an older request too, while a newer one is under way`() async throws {
        let server = try ScriptedServer(.error(.authorizationPending), .silence)
        let nearby = NearbySignIn()
        let signIn = signIn(at: server, nearby: nearby)
        let task = Task { try await signIn.run { _ in .continue } }
        await server.transport.requests(2, to: "/token")
        server.transport.reply(at: "/token", with: ScriptedServer.granted())
        nearby.asked(over: try #require(Self.link(1)))
        #expect(try await task.value.accessToken == AccessToken(revealing: "access-1"))
    }

    @Test func `ends at once when it is cancelled`() async throws {
        let server = try ScriptedServer(.silence)
        let nearby = NearbySignIn()
        let signIn = signIn(at: server, nearby: nearby)
        let task = Task { try await signIn.run { _ in .continue } }
        await server.transport.requests(1, to: "/token")
        nearby.asked(over: try #require(Self.link(1)))
        await server.transport.requests(2, to: "/token")
        task.cancel()
        await #expect(throws: SignInError.self) { try await task.value }
    }

    @Test func `has a new verifier and no links with each new code`() async throws {
        let nearby = NearbySignIn()
        let issuer = try Issuer("https://id.example.com")
        let first = nearby.begin(drawingFrom: .system)
        nearby.began(at: issuer, with: UserCodeText("first"))
        nearby.asked(over: try #require(Self.link(1)))
        nearby.asked(over: try #require(Self.link(1)))
        #expect(nearby.links.ids.count == 1)
        let second = nearby.begin(drawingFrom: .system)
        #expect(first != second && nearby.request == nil && nearby.links.ids.isEmpty)
        nearby.began(at: issuer, with: UserCodeText("second"))
        #expect(nearby.request?.verifier.challenge == second)
    }
}
