import Countersign
import CountersignRequester
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation

/// A requester on the way, and what can be seen of it from outside.
actor JourneyRequester {
    static let scope = Scope([.openid, .profile])

    nonisolated let transport = OverheardTransport()
    nonisolated let signIn: SignIn
    nonisolated let key: TokenStoreKey
    private nonisolated let client: ClientID
    private let server: JourneyServer
    private let screen: JourneyScreen
    private let confirmation: SignIn.Confirmation
    private(set) var asked: [String] = []

    /// Unless it has a clock of its own, a rest of this requester moves the server’s clock on instead of waiting.
    init(
        at server: JourneyServer,
        as screen: JourneyScreen? = nil,
        keepingTokensIn store: (any TokenStore)? = nil,
        renewals: Int = 0,
        by clock: TimeSource? = nil,
        losingFirstAnswerFrom path: String? = nil,
        binding: TokenBinding = .never,
        showingNumbers showsNumber: Bool = false,
        saying confirmation: SignIn.Confirmation = .continue
    ) {
        let screen = screen ?? JourneyScreen(at: server.issuer)
        var options = SignInOptions()
        options.renewals = renewals
        options.binding = binding
        (options.showsNumber, options.renewsLink) = (showsNumber, false)
        let overheard = transport
        let network: any HTTPTransport = path.map { LossyTransport(overheard, losing: $0) } ?? overheard
        signIn = SignIn(
            at: server.issuer,
            as: ClientIdentity(screen.client, secret: screen.secret),
            for: Self.scope,
            on: SignInScreen(name: "Anna’s big screen", keepingTokensIn: store),
            options: options,
            in: RequesterContext(over: network, clock: clock ?? server.clock.skipping, random: .system)
        )
        key = .signIn(at: server.issuer, as: screen.client)
        client = screen.client
        self.server = server
        self.screen = screen
        self.confirmation = confirmation
    }

    /// Starts to sign in; returns once there is something for a person to see.
    func begin() async throws -> (Task<Result<CompletedSignIn, SignInError>, Never>, Invitation) {
        var events = signIn.events.makeAsyncIterator()
        let task = Task {
            do throws(SignInError) {
                return .success(try await signIn.run { await self.answer($0) }) as Result<CompletedSignIn, SignInError>
            } catch {
                return .failure(error)
            }
        }
        while let event = await events.next() {
            if case .invitation(let invitation) = event { return (task, invitation) }
        }
        return (task, try await task.value.get().neverInvited())
    }

    /// Returns once the server holds its request, or does so no more, by the server's own figures.
    nonisolated func isHeld(_ isHeld: Bool = true) async {
        let figure = "\ncountersign_requests_waiting \(isHeld ? 1 : 0)\n"
        while !server.metrics.text().contains(figure) { try? await Task.sleep(for: .milliseconds(5)) }
    }

    nonisolated func refresher(of store: any TokenStore, over transport: (any HTTPTransport)? = nil) -> TokenRefresher {
        TokenRefresher(
            at: server.issuer,
            as: client,
            keepingTokensIn: store,
            in: RequesterContext(over: transport ?? self.transport, clock: server.clock.skipping, random: .system)
        )
    }

    private func answer(_ identity: VerifiedIdentity) -> SignIn.Confirmation {
        asked.append(identity.displayName)
        return confirmation
    }
}

extension CompletedSignIn {
    fileprivate struct NeverInvited: Error {}

    fileprivate func neverInvited() throws -> Invitation { throw NeverInvited() }
}
