import Countersign
import CountersignTesting
import CountersignWire
import Testing

@testable import CountersignRequester

@Suite("The polling machine")
struct PollingTests {
    let clock = ManualClock()
    let code = DeviceCode(revealing: "a-device-code")

    @Test func `waits for the interval before each request`() throws {
        var polling = try opened(interval: 7)

        #expect(polling.wake(at: now) == .rest(until: clock.instant + .seconds(7)))
        pass(.seconds(7))
        #expect(polling.wake(at: now) == .ask(code, holding: nil))
        pass(.seconds(2))
        #expect(polling.receive(.pending(held: nil), at: now) == .rest(until: clock.instant + .seconds(7)))
    }

    @Test func `asks at once when somebody has the code who may decide in a moment, and rests from then on`() throws {
        var polling = try opened(interval: 7)
        pass(.seconds(2))
        #expect(polling.canHasten)
        polling.hasten(at: now)
        #expect(polling.wake(at: now) == .ask(code, holding: nil))
        #expect(polling.receive(.pending(held: nil), at: now) == .rest(until: clock.instant + .seconds(7)))

        #expect(!polling.canHasten)
        polling.hasten(at: now)
        #expect(polling.wake(at: now) == .rest(until: clock.instant + .seconds(7)))
    }

    @Test func `asks nothing while an answer is awaited`() throws {
        var polling = try asking()
        #expect(polling.wake(at: now) == .nothing)
    }

    @Test func `takes no answer that it did not ask for`() throws {
        var polling = try opened()
        #expect(polling.receive(.denied(Self.says(.accessDenied)), at: now) == .nothing)
        #expect(polling.wake(at: now) == .rest(until: clock.instant + .seconds(5)))
    }

    @Test func `slows down by five seconds, for good`() throws {
        var polling = try asking()
        #expect(polling.receive(.slowDown(retryIn: nil), at: now) == .rest(until: clock.instant + .seconds(10)))
        pass(.seconds(10))
        _ = polling.wake(at: now)
        #expect(polling.receive(.slowDown(retryIn: nil), at: now) == .rest(until: clock.instant + .seconds(15)))
        pass(.seconds(15))
        _ = polling.wake(at: now)
        #expect(polling.receive(.pending(held: nil), at: now) == .rest(until: clock.instant + .seconds(15)))
    }

    @Test(arguments: [(17, 17), (0, 1)])
    func `comes back when a server says to that slows it down, and is not slower afterwards`(
        retryIn: Int,
        pause: Int
    ) throws {
        var polling = try asking()
        let slowed = polling.receive(.slowDown(retryIn: RetryAfter(seconds: retryIn)), at: now)
        #expect(slowed == .rest(until: clock.instant + .seconds(pause)))
        pass(.seconds(pause))
        _ = polling.wake(at: now)
        #expect(polling.receive(.pending(held: nil), at: now) == .rest(until: clock.instant + .seconds(5)))
    }

    @Test func `gives a code up that a server lets nobody ask about in time`() throws {
        var polling = try asking()
        _ = polling.receive(.slowDown(retryIn: RetryAfter(seconds: 999_999_999)), at: now)
        pass(.seconds(600))
        #expect(polling.wake(at: now) == .expired)
    }

    @Test func `asks at once where nobody has to decide`() throws {
        let code = AwaitedCode(code, expiresIn: 3, interval: 5, isAskedAtOnce: true)
        var polling = try Polling<TokenResponse>(for: code, under: .init(), at: now)
        #expect(polling.wake(at: now) == .ask(self.code, holding: nil))
    }

    @Test func `backs off twice as long each time the network fails, and recovers`() throws {
        var polling = try asking()
        for pause in [10, 20, 40, 60, 60] {
            let answer = polling.receive(.failed(.notReachable, retryAfter: nil), at: now)
            #expect(answer == .retry(after: .notReachable, at: clock.instant + .seconds(pause)))
            pass(.seconds(pause))
            #expect(polling.wake(at: now) == .ask(code, holding: nil))
        }
        #expect(polling.receive(.pending(held: nil), at: now) == .rest(until: clock.instant + .seconds(5)))
    }

    @Test func `asks the same again within the interval when an answer was lost, and backs off after that`() throws {
        var polling = try asking()
        for pause in [5, 20, 40] {
            let answer = polling.receive(.failed(.interrupted, retryAfter: nil), at: now)
            #expect(answer == .retry(after: .interrupted, at: clock.instant + .seconds(pause)))
            pass(.seconds(pause))
            #expect(polling.wake(at: now) == .ask(code, holding: nil))
        }
    }

    @Test func `asks the same again within the interval when the answer after another failure was lost`() throws {
        var polling = try asking()
        let unreached = polling.receive(.failed(.notReachable, retryAfter: nil), at: now)
        #expect(unreached == .retry(after: .notReachable, at: clock.instant + .seconds(10)))
        pass(.seconds(10))
        #expect(polling.wake(at: now) == .ask(code, holding: nil))
        let lost = polling.receive(.failed(.interrupted, retryAfter: nil), at: now)
        #expect(lost == .retry(after: .interrupted, at: clock.instant + .seconds(5)))
    }

    @Test func `asks the same again in a second when the answer to a request that was held was lost`() throws {
        var polling = try asking(under: .init(wait: WaitPreference(seconds: 30)))
        pass(.seconds(20))
        #expect(
            polling.receive(.failed(.interrupted, retryAfter: nil), at: now)
                == .retry(after: .interrupted, at: clock.instant + .seconds(1))
        )
    }

    @Test(arguments: [(2, 5), (90, 90)])
    func `stays away as long as the server asks, but no shorter than the interval`(asked: Int, pause: Int) throws {
        var polling = try asking()
        let answer = polling.receive(.failed(.busy, retryAfter: RetryAfter(seconds: asked)), at: now)
        #expect(answer == .retry(after: .busy, at: clock.instant + .seconds(pause)))
    }

    @Test func `does not sleep through the last moments of a code by its own back-off`() throws {
        var polling = try asking(lifetime: 30)
        #expect(
            polling.receive(.failed(.notReachable, retryAfter: nil), at: now)
                == .retry(after: .notReachable, at: clock.instant + .seconds(10))
        )
        pass(.seconds(10))
        _ = polling.wake(at: now)
        // 20 seconds would be too late, 14 are in time.
        #expect(
            polling.receive(.failed(.notReachable, retryAfter: nil), at: now)
                == .retry(after: .notReachable, at: clock.instant + .seconds(14))
        )
    }

    @Test(arguments: [
        (PollResult<TokenResponse>.denied(says(.accessDenied)), "the server says access_denied"),
        (.expired(says(.expiredToken)), "the server says expired_token"),
        (.refused(says(.invalidGrant)), "the server says invalid_grant"),
        (.unreadable(because: "HTML"), "HTML"),
    ])
    func `ends by a final answer`(result: PollResult<TokenResponse>, reason: String) throws {
        var polling = try asking()
        guard case .ended(let error) = polling.receive(result, at: now) else {
            throw SignInError(.badAnswer, because: "not ended")
        }
        #expect(error.reason == reason)
        #expect(polling.wake(at: now) == .nothing)
        #expect(polling.deadline(at: now) == nil)
    }

    @Test func `hands on the tokens and ends`() throws {
        var polling = try asking()
        let response = TokenResponse(accessToken: AccessToken(revealing: "t"), expiresIn: 60)
        #expect(polling.receive(.granted(response), at: now) == .granted(response))
        #expect(polling.wake(at: now) == .nothing)
    }

    @Test func `asks nothing once it is cancelled`() throws {
        var polling = try asking()
        polling.cancel()
        #expect(polling.receive(.pending(held: nil), at: now) == .nothing)
        pass(.seconds(60))
        #expect(polling.wake(at: now) == .nothing)
    }

    @Test(arguments: [(0, 5), (600, 600), (600, 700)])
    func `refuses codes that nobody could use`(lifetime: Int, interval: Int) {
        #expect(throws: SignInError(.badAnswer, because: "")) { try opened(lifetime: lifetime, interval: interval) }
    }

    @Test func `leaves a second between requests when the server names no interval worth the name`() throws {
        var polling = try opened(interval: 0)
        #expect(polling.wake(at: now) == .rest(until: clock.instant + .seconds(1)))
    }
}

extension PollingTests {
    var now: Moment { clock.moment }

    func pass(_ span: Duration) { clock.advance(by: span) }

    func response(lifetime: Int = 600, interval: Int = 5, code: String = "a-device-code") -> DeviceAuthorizationResponse
    {
        DeviceAuthorizationResponse(
            deviceCode: DeviceCode(revealing: code),
            userCode: UserCodeText("WDJB-MJHT"),
            verificationURI: "https://example.com/activate",
            verificationURIComplete: nil,
            expiresIn: lifetime,
            interval: interval
        )
    }

    static func says(_ code: OAuthError.Code) -> SignInError {
        SignInError(OAuthErrorResponse(OAuthError(code, because: "")))
    }

    func opened(
        lifetime: Int = 600,
        interval: Int = 5,
        under rules: PollingRules = .init()
    ) throws -> Polling<TokenResponse> {
        try Polling(
            for: response(lifetime: lifetime, interval: interval).awaited,
            under: rules,
            at: now
        )
    }

    /// A machine whose first request was just sent.
    func asking(lifetime: Int = 600, interval: Int = 5, under rules: PollingRules = .init()) throws
        -> Polling<TokenResponse>
    {
        var polling = try opened(lifetime: lifetime, interval: interval, under: rules)
        pass(.seconds(interval))
        guard case .ask = polling.wake(at: now) else { throw SignInError(.badAnswer, because: "not asking") }
        return polling
    }
}
