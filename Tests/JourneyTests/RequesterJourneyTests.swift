import Countersign
import CountersignRequester
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@Suite("A requester at the real server", .timeLimit(.minutes(2)))
struct RequesterJourneyTests {
    @Test func `is signed in as the person who approved, and knows who it is`() async throws {
        try await JourneyServer.with { server in
            let kept = MemoryTokenStore()
            let requester = Requester(at: server, keepingTokensIn: kept)
            let (result, invitation) = try await requester.begin()
            #expect(invitation.verificationURI.absoluteString == "\(server.issuer)/activate")
            #expect(invitation.deadline > server.clock.date)

            let anna = JourneyVisitor(at: server.issuer)
            try await anna.signIn(as: .anna)
            try await anna.decide(.approve, on: invitation.userCode)

            let signedIn = try await result.value.get()
            #expect(signedIn.identity?.displayName == "Anna Example")
            #expect(signedIn.identity?.subject == JourneyPerson.anna.subject)
            #expect(signedIn.identity?.issuer == server.issuer.text)
            #expect(signedIn.scope == Requester.scope)
            #expect(try await JourneyScreen.api(at: server.issuer).isActive(signedIn.accessToken))
            #expect(await kept.load(requester.key) == signedIn)
            #expect(await requester.asked == ["Anna Example"])

            let keeper = requester.keeper(of: kept)
            let renewed = try await keeper.refresh()
            #expect(renewed.accessToken != signedIn.accessToken)
            #expect(try await keeper.signOut())
            #expect(try await !JourneyScreen.api(at: server.issuer).isActive(renewed.accessToken))
        }
    }

    @Test func `gives both tokens back when the person at the screen is another`() async throws {
        try await JourneyServer.with { server in
            let kept = MemoryTokenStore()
            let backend = JourneyScreen.backend(at: server.issuer)
            let requester = Requester(at: server, as: backend, keepingTokensIn: kept, saying: .notMe)
            let (result, invitation) = try await requester.begin()
            let ben = JourneyVisitor(at: server.issuer)
            try await ben.signIn(as: .ben)
            try await ben.decide(.approve, on: invitation.userCode)

            await #expect(throws: SignInError(.notMe, because: "")) { try await result.value.get() }
            #expect(await requester.asked == ["Ben Example"])
            #expect(await kept.load(requester.key) == nil)
            let tokens = try #require(requester.transport.tokens.first)
            #expect(try await !backend.isActive(tokens.accessToken))
            #expect(try await !backend.isActive(try #require(tokens.refreshToken)))
            #expect(try await backend.refresh(tokens) == .refused(.invalidGrant))
        }
    }

    @Test func `is told when the person denies`() async throws {
        try await JourneyServer.with { server in
            let requester = Requester(at: server)
            let (result, invitation) = try await requester.begin()
            let anna = JourneyVisitor(at: server.issuer)
            try await anna.signIn(as: .anna)
            try await anna.decide(.deny, on: invitation.userCode)

            await #expect(throws: SignInError(.denied, because: "")) { try await result.value.get() }
            #expect(requester.transport.tokens.isEmpty)
            #expect(await requester.asked == [])
        }
    }

    @Test func `gives up when nobody decides in time`() async throws {
        try await JourneyServer.with { server in
            let requester = Requester(at: server)
            let (result, invitation) = try await requester.begin()
            await requester.isHeld()
            server.clock.advance(by: .seconds(invitation.deadline.timeIntervalSince(server.clock.date)))
            await #expect(throws: SignInError(.expired, because: "")) { try await result.value.get() }
        }
    }

    @Test func `shows a new code for one that expired, and only the new one counts`() async throws {
        try await JourneyServer.with { server in
            let requester = Requester(at: server, renewals: 1)
            var events = requester.signIn.events.makeAsyncIterator()
            let (result, first) = try await requester.begin()
            await requester.isHeld()
            server.clock.advance(by: .seconds(first.deadline.timeIntervalSince(server.clock.date)))

            var second = first
            while second == first, let event = await events.next() {
                if case .invitation(let invitation) = event { second = invitation }
            }
            #expect(second.userCode != first.userCode)
            #expect(second.deadline > first.deadline)
            let anna = JourneyVisitor(at: server.issuer)
            try await anna.signIn(as: .anna)
            let page = try await anna.open("/activate")
            try await anna.submit(
                page,
                to: "/activate",
                ["user_code": first.userCode.rawValue],
                expecting: "That code doesn’t work."
            )
            try await anna.decide(.approve, on: second.userCode)
            #expect(try await result.value.get().identity?.displayName == "Anna Example")
        }
    }

    @Test func `is answered by the decision itself, without any time passing`() async throws {
        try await JourneyServer.with { server in
            let requester = Requester(at: server)
            let (result, invitation) = try await requester.begin()
            await requester.isHeld()
            let held = server.clock.instant
            let polls = requester.transport.polls
            let anna = JourneyVisitor(at: server.issuer)
            try await anna.signIn(as: .anna)
            try await anna.decide(.approve, on: invitation.userCode)

            _ = try await result.value.get()
            #expect(server.clock.instant == held)
            #expect(requester.transport.polls == polls)
        }
    }

    @Test func `stops at once when it is cancelled, and redeems nothing later`() async throws {
        try await JourneyServer.with { server in
            let requester = Requester(at: server)
            let (result, invitation) = try await requester.begin()
            await requester.isHeld()
            result.cancel()
            await #expect(throws: SignInError(.cancelled, because: "")) { try await result.value.get() }
            // The server learns that nobody waits any more.
            await requester.isHeld(false)

            let anna = JourneyVisitor(at: server.issuer)
            try await anna.signIn(as: .anna)
            try await anna.decide(.approve, on: invitation.userCode)
            #expect(try await anna.open("/account").markup.contains("Approved, not picked up yet"))
            #expect(requester.transport.tokens.isEmpty)

            let codes = try #require(requester.transport.codes.first)
            let tokens = try await JourneyScreen(at: server.issuer).poll(codes).tokens
            #expect(try await JourneyScreen.api(at: server.issuer).isActive(tokens.accessToken))
        }
    }

    @Test func `goes on after the server was restarted in the middle`() async throws {
        try await JourneyServer.with { server in
            // The requester has a clock of its own here, so that it rests while the server is away.
            let clock = ManualClock(server.clock.date)
            let requester = Requester(at: server, by: clock.forRequester)
            var events = requester.signIn.events.makeAsyncIterator()
            let anna = JourneyVisitor(at: server.issuer)
            try await anna.signIn(as: .anna)
            async let beginning = requester.begin()
            await clock.sleepers()
            clock.advance(by: .seconds(5))
            let (result, invitation) = try await beginning
            await requester.isHeld()

            try await server.stop()
            await clock.sleepers()
            clock.advance(by: .seconds(5))
            var trouble: Trouble?
            while trouble == nil, let event = await events.next() {
                if case .trouble(let found, retryingAt: _) = event { trouble = found }
            }
            #expect(trouble == .notReachable)
            await clock.sleepers()

            try await server.start()
            // Anna is still signed in at her browser, and the code is still good.
            try await anna.decide(.approve, on: invitation.userCode)
            clock.advance(by: .seconds(60))
            #expect(try await result.value.get().identity?.displayName == "Anna Example")
        }
    }
}

/// A requester on the way, and what can be seen of it from outside.
private actor Requester {
    static let scope = Scope([.openid, .profile])

    nonisolated let transport = OverheardTransport()
    nonisolated let signIn: SignIn
    nonisolated let key: TokenStoreKey
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
        by clock: RequesterClock? = nil,
        saying confirmation: SignIn.Confirmation = .continue
    ) {
        let screen = screen ?? JourneyScreen(at: server.issuer)
        var options = SignInOptions()
        options.renewals = renewals
        signIn = SignIn(
            at: server.issuer,
            as: screen.client,
            secret: screen.secret,
            for: Self.scope,
            deviceName: "Anna’s big screen",
            over: transport,
            keepingTokensIn: store,
            options: options,
            clock: clock ?? server.clock.skipping
        )
        key = TokenStoreKey(issuer: server.issuer, client: screen.client)
        self.server = server
        self.screen = screen
        self.confirmation = confirmation
    }

    /// Starts to sign in; returns once there is something for a person to see.
    func begin() async throws -> (Task<Result<SignedIn, SignInError>, Never>, Invitation) {
        var events = signIn.events.makeAsyncIterator()
        let task = Task {
            do throws(SignInError) {
                return .success(try await signIn.run { await self.answer($0) }) as Result<SignedIn, SignInError>
            } catch {
                return .failure(error)
            }
        }
        while let event = await events.next() {
            if case .invitation(let invitation) = event { return (task, invitation) }
        }
        return (task, try await task.value.get().neverInvited())
    }

    /// Returns once the server holds its request, or does so no more.
    ///
    /// Besides its upkeep, the server sleeps only to end a request that it holds.
    nonisolated func isHeld(_ isHeld: Bool = true) async {
        while server.clock.sleeping != (isHeld ? 2 : 1) { try? await Task.sleep(for: .milliseconds(5)) }
    }

    nonisolated func keeper(of store: any TokenStore) -> SignInKeeper {
        SignInKeeper(
            at: server.issuer,
            as: key.client,
            over: transport,
            keepingTokensIn: store,
            clock: server.clock.skipping
        )
    }

    private func answer(_ identity: VerifiedIdentity) -> SignIn.Confirmation {
        asked.append(identity.displayName)
        return confirmation
    }
}

extension SignedIn {
    fileprivate struct NeverInvited: Error {}

    fileprivate func neverInvited() throws -> Invitation { throw NeverInvited() }
}

/// Tokens for as long as a test takes.
private actor MemoryTokenStore: TokenStore {
    private var kept: [TokenStoreKey: SignedIn] = [:]

    func load(_ key: TokenStoreKey) -> SignedIn? { kept[key] }
    func save(_ signedIn: SignedIn, for key: TokenStoreKey) { kept[key] = signedIn }
    func remove(_ key: TokenStoreKey) { kept[key] = nil }
}
