import Countersign
import CountersignRequester
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@Suite("A requester at the real server", .timeLimit(.minutes(10)))
struct RequesterJourneyTests {
    @Test func `is signed in as the person who approved, and knows who it is`() async throws {
        try await JourneyServer.with { server in
            let kept = MemoryTokenStore()
            let requester = JourneyRequester(at: server, keepingTokensIn: kept)
            let (result, invitation) = try await requester.begin()
            #expect(invitation.verificationURI.absoluteString == "\(server.issuer)/activate")
            #expect(invitation.deadline > server.clock.date)

            let anna = JourneyVisitor(at: server.issuer)
            try await anna.signIn(as: .anna)
            try await anna.decide(.approve, on: try #require(invitation.userCode))

            let signedIn = try await result.value.get()
            #expect(signedIn.identity?.displayName == "Anna Example")
            #expect(signedIn.identity?.subject == JourneyPerson.anna.subject)
            #expect(signedIn.identity?.issuer == server.issuer.text)
            #expect(signedIn.scope == JourneyRequester.scope)
            #expect(try await JourneyScreen.api(at: server.issuer).isActive(signedIn.accessToken))
            #expect(try await kept.signedIn(for: requester.key) == signedIn)
            #expect(await requester.asked == ["Anna Example"])

            let refresher = requester.refresher(of: kept)
            let renewed = try await refresher.refresh()
            #expect(renewed.accessToken != signedIn.accessToken)
            #expect(try await refresher.signOut().isRevoked)
            #expect(try await !JourneyScreen.api(at: server.issuer).isActive(renewed.accessToken))
        }
    }

    @Test func `stays signed in although the answer to a renewal was lost on the way`() async throws {
        try await JourneyServer.with { server in
            let kept = MemoryTokenStore()
            let requester = JourneyRequester(at: server, keepingTokensIn: kept)
            let (result, invitation) = try await requester.begin()
            let anna = JourneyVisitor(at: server.issuer)
            try await anna.signIn(as: .anna)
            try await anna.decide(.approve, on: try #require(invitation.userCode))
            _ = try await result.value.get()

            let transport = LossyTransport(requester.transport, losing: "/token")
            let refresher = requester.refresher(of: kept, over: transport)
            let renewed = try await refresher.refresh()
            // The server renewed once, and gave the same answer twice.
            let answers = requester.transport.tokens.suffix(2).map(\.accessToken)
            #expect(answers == [renewed.accessToken, renewed.accessToken])
            #expect(try await JourneyScreen.api(at: server.issuer).isActive(renewed.accessToken))
            #expect(try await refresher.refresh().accessToken != renewed.accessToken)
        }
    }

    @Test func `is signed in with one approval although the answer with the tokens was lost on the way`() async throws {
        try await JourneyServer.with { server in
            let requester = JourneyRequester(at: server, losingFirstAnswerFrom: "/token")
            let (result, invitation) = try await requester.begin()
            let anna = JourneyVisitor(at: server.issuer)
            try await anna.signIn(as: .anna)
            try await anna.decide(.approve, on: try #require(invitation.userCode))

            let signedIn = try await result.value.get()
            // The server redeemed the code once, and gave the same answer twice.
            #expect(requester.transport.tokens.map(\.accessToken) == [signedIn.accessToken, signedIn.accessToken])
            #expect(requester.transport.codes.count == 1)
            #expect(try await JourneyScreen.api(at: server.issuer).isActive(signedIn.accessToken))
        }
    }

    @Test func `gives both tokens back when the person at the screen is another`() async throws {
        try await JourneyServer.with { server in
            let kept = MemoryTokenStore()
            let backend = JourneyScreen.backend(at: server.issuer)
            let requester = JourneyRequester(at: server, as: backend, keepingTokensIn: kept, saying: .notMe)
            let (result, invitation) = try await requester.begin()
            let ben = JourneyVisitor(at: server.issuer)
            try await ben.signIn(as: .ben)
            try await ben.decide(.approve, on: try #require(invitation.userCode))

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
            let requester = JourneyRequester(at: server)
            let (result, invitation) = try await requester.begin()
            let anna = JourneyVisitor(at: server.issuer)
            try await anna.signIn(as: .anna)
            try await anna.decide(.deny, on: try #require(invitation.userCode))

            await #expect(throws: SignInError(.denied, because: "")) { try await result.value.get() }
            #expect(requester.transport.tokens.isEmpty)
            #expect(await requester.asked == [])
        }
    }

    @Test func `gives up when nobody decides in time`() async throws {
        try await JourneyServer.with { server in
            let requester = JourneyRequester(at: server)
            let (result, invitation) = try await requester.begin()
            await requester.isHeld()
            server.clock.advance(by: .seconds(invitation.deadline.timeIntervalSince(server.clock.date)))
            await #expect(throws: SignInError(.expired, because: "")) { try await result.value.get() }
        }
    }

    @Test func `shows a new code for one that expired, and only the new one counts`() async throws {
        try await JourneyServer.with { server in
            let requester = JourneyRequester(at: server, renewals: 1)
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
                ["user_code": try #require(first.userCode).rawValue],
                expecting: "That code doesn’t work."
            )
            try await anna.decide(.approve, on: try #require(second.userCode))
            #expect(try await result.value.get().identity?.displayName == "Anna Example")
        }
    }

    @Test func `is answered by the decision itself, without any time passing`() async throws {
        try await JourneyServer.with { server in
            let requester = JourneyRequester(at: server)
            let (result, invitation) = try await requester.begin()
            await requester.isHeld()
            let held = server.clock.instant
            let polls = requester.transport.polls
            let anna = JourneyVisitor(at: server.issuer)
            try await anna.signIn(as: .anna)
            try await anna.decide(.approve, on: try #require(invitation.userCode))

            _ = try await result.value.get()
            #expect(server.clock.instant == held)
            #expect(requester.transport.polls == polls)
        }
    }

    @Test func `stops at once when it is cancelled, and redeems nothing later`() async throws {
        try await JourneyServer.with { server in
            let requester = JourneyRequester(at: server)
            let (result, invitation) = try await requester.begin()
            await requester.isHeld()
            result.cancel()
            await #expect(throws: SignInError(.cancelled, because: "")) { try await result.value.get() }
            // The server learns that nobody waits any more.
            await requester.isHeld(false)

            let anna = JourneyVisitor(at: server.issuer)
            try await anna.signIn(as: .anna)
            // The request ended with it: nobody can approve it any more.
            let page = try await anna.open("/activate")
            try await anna.submit(
                page,
                to: "/activate",
                ["user_code": try #require(invitation.userCode).rawValue],
                expecting: "That code doesn’t work."
            )
            #expect(requester.transport.tokens.isEmpty)
        }
    }

    @Test func `goes on after the server was restarted in the middle`() async throws {
        try await JourneyServer.with { server in
            // The requester has a clock of its own here, so that it rests while the server is away.
            let clock = ManualClock(server.clock.date)
            let requester = JourneyRequester(at: server, by: clock.source)
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
            var temporaryFailure: TemporaryFailure?
            while temporaryFailure == nil, let event = await events.next() {
                if case .temporaryFailure(let found, retryingAt: _) = event { temporaryFailure = found }
            }
            // A connection that is kept may not have heard yet that it is closed.
            #expect(temporaryFailure == .notReachable || temporaryFailure == .interrupted)
            await clock.sleepers()

            try await server.start()
            // Anna is still signed in at her browser, and the code is still good.
            try await anna.decide(.approve, on: try #require(invitation.userCode))
            clock.advance(by: .seconds(60))
            #expect(try await result.value.get().identity?.displayName == "Anna Example")
        }
    }
}
