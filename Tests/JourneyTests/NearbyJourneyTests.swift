import Countersign
import CountersignApprover
import CountersignRequester
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

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
            let shown = try await phone.look(at: request)
            #expect(shown.client == .asserted(JourneyParties.tv) && shown.accountName == "Anna Example")
            #expect(shown.sameNetwork == .observed(.yes))

            let link = try #require(link)
            nearby.asked(over: link)
            try await phone.decide(.approve, on: shown, over: link, proof: .code)
            let signedIn = try await screen.value
            #expect(try await JourneyScreen.api(at: server.issuer).isActive(signedIn.accessToken))

            await #expect(throws: ApprovalError.self) { try await phone.look(at: request) }
            await #expect(throws: ApprovalError.self) {
                try await phone.decide(.deny, on: shown, over: link, proof: .code)
            }
        }
    }

    @Test func `is not signed in over another link than the one that was approved`() async throws {
        try await JourneyServer.with { server in
            let phone = try await phone(at: server)
            let (nearby, screen) = try await asking(server)
            let shown = try await phone.look(at: try #require(nearby.request))
            nearby.asked(over: try #require(other))
            try await phone.decide(.approve, on: shown, over: try #require(link), proof: .code)
            await #expect(throws: SignInError.self) { _ = try await screen.value }
        }
    }

    @Test func `waits for a link that is named after the decision`() async throws {
        try await JourneyServer.with { server in
            let phone = try await phone(at: server)
            let (nearby, screen) = try await asking(server)
            let shown = try await phone.look(at: try #require(nearby.request))
            let link = try #require(link)
            try await phone.decide(.approve, on: shown, over: link, proof: .code)
            nearby.asked(over: link)
            _ = try await screen.value
        }
    }

    /// A screen that has its code, and waits.
    private func asking(_ server: JourneyServer) async throws -> (NearbySignIn, Task<CompletedSignIn, any Error>) {
        let nearby = NearbySignIn()
        let signIn = SignIn(
            at: server.issuer,
            as: JourneyParties.tv,
            for: Scope([.profile]),
            nearby: nearby,
            in: RequesterContext(over: AsyncHTTPTransport(), clock: server.clock.skipping, random: .system)
        )
        return (nearby, try await begun(signIn).task)
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
    private func phone(at server: JourneyServer) async throws -> NearbyApprovals {
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
            as: client,
            for: Scope([.nearbyApprove]),
            in: RequesterContext(over: AsyncHTTPTransport(), clock: server.clock.skipping, random: .system)
        )
        let (task, code) = try await begun(signIn)
        let anna = JourneyVisitor(at: server.issuer)
        try await anna.signIn(as: .anna)
        try await anna.decide(.approve, on: code)
        let token = try await task.value.accessToken
        return NearbyApprovals(
            for: [ApproverAccount(id: ApproverAccount.ID("anna"), issuer: server.issuer) { token }],
            keepingKeysIn: Keys(),
            over: AsyncHTTPTransport(),
            drawingFrom: .system,
            clock: server.clock.source
        )
    }
}
