import Countersign
import CountersignRequester
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignResource

@Suite("A service that remembers")
struct CachedTokenCheckTests {
    let clock = ManualClock()
    let token = AccessToken(revealing: "the-token")
    let good = HTTPAnswer(HTTPResponse(status: .ok), body: Array(#"{"client_id":4}"#.utf8))
    let unknown = HTTPAnswer(HTTPResponse(status: .notFound), body: Array(#"{"error":"not_found"}"#.utf8))

    private func checker(
        over transport: any HTTPTransport,
        _ limits: TokenCacheLimits = TokenCacheLimits()
    ) throws -> CrossPlatformChecker {
        try CrossPlatformChecker(
            at: Issuer("https://login.example.org"),
            for: Domain("sp"),
            credential: ServiceCredential(revealing: "secret"),
            over: transport,
            caching: limits
        )
    }

    @Test func `asks once a minute about a good token`() async throws {
        let provider = ScriptedProvider(["/authorized": [.answer(good), .answer(unknown)]])
        let checker = try checker(over: provider)
        for _ in 1...3 {
            #expect(try await checker.check(token, at: clock.date) == .good(TokenFacts(client: ClientID("4"))))
        }
        #expect(provider.network.sent().count == 1)
        clock.advance(by: .seconds(60))
        guard case .notGood = try await checker.check(token, at: clock.date) else {
            return #expect(Bool(false), "a revoked token lives on")
        }
        #expect(provider.network.sent().count == 2)
    }

    @Test func `asks again soon about a token that was not good`() async throws {
        let provider = ScriptedProvider(["/authorized": [.answer(unknown), .answer(good)]])
        let checker = try checker(over: provider)
        for _ in 1...3 { _ = try await checker.check(token, at: clock.date) }
        #expect(provider.network.sent().count == 1)
        clock.advance(by: .seconds(5))
        #expect(try await checker.check(token, at: clock.date) == .good(TokenFacts(client: ClientID("4"))))
    }

    @Test func `does not remember a failure`() async throws {
        let provider = ScriptedProvider(["/authorized": [.status(.internalServerError), .answer(good)]])
        let checker = try checker(over: provider)
        await #expect(throws: TokenCheckError(.unreachable, because: "")) {
            try await checker.check(token, at: clock.date)
        }
        #expect(try await checker.check(token, at: clock.date) == .good(TokenFacts(client: ClientID("4"))))
    }

    @Test func `tells no token's worth for another's`() async throws {
        let provider = ScriptedProvider(["/authorized": [.answer(good), .answer(unknown)]])
        let checker = try checker(over: provider)
        _ = try await checker.check(token, at: clock.date)
        let other = try await checker.check(AccessToken(revealing: "the-token2"), at: clock.date)
        #expect(other == .notGood(because: "the provider does not know it for this domain"))
    }

    @Test func `asks once for all who come at the same time`() async throws {
        let provider = GatedProvider(good)
        let checker = try checker(over: provider)
        try await withThrowingTaskGroup(of: TokenVerdict.self) { group in
            for _ in 1...20 { group.addTask { try await checker.check(token, at: clock.date) } }
            await provider.untilAsked()
            await provider.open()
            for try await verdict in group { #expect(verdict == .good(TokenFacts(client: ClientID("4")))) }
        }
        #expect(await provider.asked == 1)
    }

    @Test func `goes on asking when whoever asked first has left`() async throws {
        let provider = GatedProvider(good)
        let checker = try checker(over: provider)
        let first = Task { try await checker.check(token, at: clock.date) }
        await provider.untilAsked()
        first.cancel()
        async let second = checker.check(token, at: clock.date)
        await provider.open()
        #expect(try await second == .good(TokenFacts(client: ClientID("4"))))
        #expect(await provider.asked == 1)
    }

    @Test func `asks no more at once than it may`() async throws {
        var limits = TokenCacheLimits()
        limits.mostQuestions = 1
        let provider = GatedProvider(good)
        let checker = try checker(over: provider, limits)
        let first = Task { try await checker.check(token, at: clock.date) }
        await provider.untilAsked()
        await #expect(throws: TokenCheckError(.busy, because: "")) {
            try await checker.check(AccessToken(revealing: "another"), at: clock.date)
        }
        await provider.open()
        #expect(try await first.value == .good(TokenFacts(client: ClientID("4"))))
        _ = try await checker.check(AccessToken(revealing: "another"), at: clock.date)
    }

    @Test func `leaves a provider alone that wants to be, but remembers on`() async throws {
        let other = AccessToken(revealing: "another")
        let provider = ScriptedProvider([
            "/authorized": [
                .answer(good), .status(.serviceUnavailable, fields: [.retryAfter: "20"]), .answer(good),
            ]
        ])
        let checker = try checker(over: provider)
        _ = try await checker.check(token, at: clock.date)
        for _ in 1...3 {
            await #expect(throws: TokenCheckError(.busy, because: "")) {
                try await checker.check(other, at: clock.date)
            }
        }
        #expect(provider.network.sent().count == 2)
        _ = try await checker.check(token, at: clock.date)
        clock.advance(by: .seconds(20))
        _ = try await checker.check(other, at: clock.date)
        #expect(provider.network.sent().count == 3)
    }

    @Test func `does not leave it alone for longer than a minute`() async throws {
        let provider = ScriptedProvider([
            "/authorized": [.status(.tooManyRequests, fields: [.retryAfter: "86400"]), .answer(good)]
        ])
        let checker = try checker(over: provider)
        await #expect(throws: TokenCheckError(.busy, because: "")) { try await checker.check(token, at: clock.date) }
        clock.advance(by: .seconds(60))
        _ = try await checker.check(token, at: clock.date)
    }
}
