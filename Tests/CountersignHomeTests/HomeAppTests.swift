import Countersign
import CountersignRequester
import CountersignTesting
import CountersignTransport
import CountersignWire
import Testing

@testable import CountersignHome

@Suite("An app at the server of a home")
struct HomeAppTests {
    private static func signIn(
        in home: Home, over transport: any HTTPTransport, on screen: SignInScreen = SignInScreen()
    ) -> SignIn {
        let context = RequesterContext(
            over: transport, clock: home.clock.source, random: SeededRandom(seed: 11).source)
        return SignIn(
            at: home.issuer, as: "tv", for: Scope([.openid, .offlineAccess]), on: screen, in: context)
    }

    /// Lets the app poll once.
    private static func letPoll(in home: Home) async {
        await home.clock.sleepers()
        home.clock.advance(by: .seconds(5))
    }

    @Test func `is signed in by the person who types its code`() async throws {
        let home = try await Home(seed: 1)
        let tv = await home.tv("Living room")
        let store = MemoryTokenStore()
        let screen = SignInScreen(name: tv.name, keepingTokensIn: store)
        var signedIn: CompletedSignIn?

        for try await event in Self.signIn(in: home, over: home.transport(of: tv), on: screen) {
            switch event {
            case .invitation(let invitation):
                let code = try #require(invitation.userCode)
                try await home.approve(try await home.signIn(showing: code), as: .anna)
                await Self.letPoll(in: home)
            case .confirming(let question): question.answer(.continue)
            case .signedIn(let completed): signedIn = completed
            default: break
            }
        }

        #expect(signedIn?.identity?.subject == HomePerson.anna.subject)
        #expect(await home.fault == nil)
    }

    @Test func `is told that a person denied`() async throws {
        let home = try await Home(seed: 2)
        let signIn = Self.signIn(in: home, over: home.transport(of: await home.tv("Kitchen")))

        let error = await #expect(throws: SignInError.self) {
            for try await case .invitation(let invitation) in signIn {
                let code = try #require(invitation.userCode)
                try await home.deny(try await home.signIn(showing: code), as: .bert)
                await Self.letPoll(in: home)
            }
        }

        #expect(error?.code == .denied)
        #expect(await home.fault == nil)
    }

    @Test func `withdraws its request when its task is cancelled`() async throws {
        let home = try await Home(seed: 3)
        let signIn = Self.signIn(in: home, over: home.transport(of: await home.tv("Kitchen")))
        let (codes, shown) = AsyncStream.makeStream(of: UserCodeText?.self)
        let signingIn = Task {
            for try await case .invitation(let invitation) in signIn { shown.yield(invitation.userCode) }
        }
        let code = try #require(await codes.first { _ in true } ?? nil)

        signingIn.cancel()
        await #expect(throws: SignInError.self) { try await signingIn.value }
        try await home.approve(try await home.signIn(showing: code), as: .anna)

        #expect(await home.trace.contains { $0.contains("POST /revoke: 200") })
        #expect(await home.fault == nil)
    }

    @Test func `reaches no other server`() async throws {
        let home = try await Home(seed: 4)
        let transport = home.transport(of: await home.tv("Kitchen"))
        let request = HTTPRequest(method: .get, scheme: "https", authority: "elsewhere.example", path: "/")

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(request, body: [], within: .seconds(1))
        }

        #expect(error?.code == .notReached)
    }

    @Test func `is not found by a code that it never showed`() async throws {
        let home = try await Home(seed: 5)

        await #expect(throws: HomeFault.self) { try await home.signIn(showing: UserCodeText("ABCD-EFGH")) }
    }
}
