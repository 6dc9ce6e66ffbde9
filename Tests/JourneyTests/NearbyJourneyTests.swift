import Countersign
import CountersignApprover
import CountersignNearby
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import MulticastDNS
import Testing

@testable import CountersignRequester

/// A screen and a phone with the real server between them; the link itself is left out.
@Suite("A screen that a phone nearby approves", .timeLimit(.minutes(10)))
struct NearbyJourneyTests {
    private let link = NearbyLinkID([UInt8](repeating: 1, count: 32))
    private let other = NearbyLinkID([UInt8](repeating: 2, count: 32))

    @Test func `is signed in by it, over the link that both name`() async throws {
        try await JourneyServer.with { server in
            let phone = try await phone(at: server)
            let (nearby, screen) = try await asking(server)
            let request = try #require(nearby.request)
            let link = try #require(link)
            let shown = try await phone.look(at: request, over: link, proof: .code)
            #expect(shown.client == .asserted(JourneyParties.tv) && shown.accountName == "Anna Example")
            #expect(shown.kind == .nearby(sameNetwork: .observed(.yes)))

            nearby.add(link)
            try await phone.answer(.approve(), to: shown)
            let signedIn = try await screen.value
            #expect(try await JourneyScreen.api(at: server.issuer).isActive(signedIn.accessToken))

            await #expect(throws: ApprovalError.self) { try await phone.look(at: request, over: link, proof: .code) }
            await #expect(throws: ApprovalError.self) {
                try await phone.answer(.deny, to: shown)
            }
        }
    }

    @Test func `is not signed in over another link than the one that was approved`() async throws {
        try await JourneyServer.with { server in
            let phone = try await phone(at: server)
            let (nearby, screen) = try await asking(server)
            let shown = try await phone.look(
                at: try #require(nearby.request), over: try #require(link), proof: .code)
            nearby.add(try #require(other))
            try await phone.answer(.approve(), to: shown)
            await #expect(throws: SignInError.self) { _ = try await screen.value }
        }
    }

    @Test func `waits for a link that is named after the decision`() async throws {
        try await JourneyServer.with { server in
            let phone = try await phone(at: server)
            let (nearby, screen) = try await asking(server)
            let link = try #require(link)
            let shown = try await phone.look(at: try #require(nearby.request), over: link, proof: .code)
            try await phone.answer(.approve(), to: shown)
            nearby.add(link)
            _ = try await screen.value
        }
    }

    /// A screen that has its code, and waits. The search for phones is left out, and the test names the links.
    private func asking(_ server: JourneyServer) async throws -> (SignInLinks, Task<TokenResponse, any Error>) {
        var screen = SignInScreen()
        screen.nearby = NearbySearch(
            NearbySettings(
                app: try #require(NearbyAppID("net.example.player")), name: try #require(PeerName("TV")),
                pairings: MemoryPairingStore(), clock: .system, random: .system),
            by: EmptyNetwork())
        let signIn = SignIn(
            at: server.issuer,
            as: ClientIdentity(JourneyParties.tv),
            for: Scope([.profile]),
            on: screen,
            in: RequesterContext(over: AsyncHTTPTransport(), clock: server.clock.skipping, random: .system)
        )
        let reporter = SignInReporter(signIn.announcer)
        reporter.abandon()
        let run = SignInRun(of: signIn, reportingTo: reporter)
        let drive = WayDrive(
            of: run,
            through: run.client.conversation(with: try await run.client.server(for: .deviceAuthorization)))
        var events = signIn.events.makeAsyncIterator()
        let tokens = Task {
            try await drive.tokens(along: WaySchedule(proofs: 0, ways: [.nearby, .code], codeDelay: .zero))
        }
        while let event = await events.next() {
            if case .invitation = event { return (drive.links, tokens) }
        }
        throw CancellationError()
    }

    /// A network without any service.
    private struct EmptyNetwork: Discovery {
        func browse(_ type: ServiceType) -> DiscoveryEvents { DiscoveryEvents(AsyncStream { _ in }) }
        func advertise(_ service: ServiceAdvertisement) async throws -> Advertisement { throw CancellationError() }
    }

    private func begun(_ signIn: SignIn) async throws -> (task: Task<CompletedSignIn, any Error>, code: UserCodeText) {
        var events = signIn.events.makeAsyncIterator()
        let task = Task { try await signIn.run { _ in .continue } }
        while let event = await events.next() {
            if case .invitation(let invitation) = event { return (task, try #require(invitation.userCode)) }
        }
        _ = try await task.value
        throw CancellationError()
    }

    private struct Keys: ApproverKeyStore {
        let key = ApproverPrivateKey(drawingFrom: .system)
        func signer(for account: ApproverAccount.ID) async throws -> any ApproverSigner { key }
    }

    /// Anna's phone, with an app that she is signed in to.
    private func phone(at server: JourneyServer) async throws -> Approver {
        let client = ClientID("phone-app")
        let created = server.clock.date
        try await server.change { repositories in
            try repositories.clients.insert(
                Client(
                    id: client,
                    name: "The app",
                    kind: .public,
                    grantTypes: [.deviceCode, .refreshToken],
                    scope: Scope([.nearbyApprove]),
                    tokenFormat: .opaque,
                    created: created
                )
            )
        }
        let signIn = SignIn(
            at: server.issuer,
            as: ClientIdentity(client),
            for: Scope([.nearbyApprove]),
            on: SignInScreen(),
            in: RequesterContext(over: AsyncHTTPTransport(), clock: server.clock.skipping, random: .system)
        )
        let (task, code) = try await begun(signIn)
        let anna = JourneyVisitor(at: server.issuer)
        try await anna.signIn(as: .anna)
        try await anna.decide(.approve, on: code)
        let token = try await task.value.accessToken
        return Approver(
            for: ApproverAccount(id: ApproverAccount.ID("anna"), issuer: server.issuer) { token },
            keepingKeysIn: Keys(),
            in: ApproverContext(over: AsyncHTTPTransport(), clock: server.clock.source, random: .system)
        )
    }
}
