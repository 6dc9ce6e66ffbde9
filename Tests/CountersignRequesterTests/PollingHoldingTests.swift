import Countersign
import CountersignTesting
import CountersignWire
import Testing

@testable import CountersignRequester

extension PollingTests {
    @Suite("and requests that the server holds open")
    struct Holding {
        let test = PollingTests()
        var clock: ManualClock { test.clock }
        var now: Moment { test.now }
        let wait = WaitPreference(seconds: 30)

        @Test func `asks again at once after a request that was held`() throws {
            var polling = try test.opened(under: .init(wait: wait))
            clock.advance(by: .seconds(5))
            #expect(polling.wake(at: now) == .ask(test.code, holding: wait))
            clock.advance(by: .seconds(30))
            #expect(polling.receive(.pending(held: wait), at: now) == .rest(until: clock.instant))
            #expect(polling.wake(at: now) == .ask(test.code, holding: wait))
        }

        @Test func `keeps to the interval with a server that does not hold`() throws {
            var polling = try test.asking(under: .init(wait: wait))
            #expect(polling.receive(.pending(held: nil), at: now) == .rest(until: clock.instant + .seconds(5)))
        }

        @Test func `keeps to the interval with a server that says it held and did not`() throws {
            var polling = try test.asking(under: .init(wait: wait))
            let asked = clock.instant
            clock.advance(by: .seconds(1))
            #expect(polling.receive(.pending(held: wait), at: now) == .rest(until: asked + .seconds(5)))
        }

        @Test func `has shorter requests held when long ones break, and none in the end`() throws {
            var polling = try test.asking(under: .init(wait: wait))
            for seconds in [15, 7, nil] {
                guard case .retry(_, at: let again) = polling.receive(.failed(.interrupted, retryAfter: nil), at: now)
                else { throw SignInError(.badAnswer, because: "no retry") }
                clock.advance(to: again)
                // The first request after a failure is not held: it shows whether the failure has passed.
                #expect(polling.wake(at: now) == .ask(test.code, holding: nil))
                _ = polling.receive(.pending(held: nil), at: now)
                clock.advance(by: .seconds(5))
                let expected = seconds.flatMap { WaitPreference(seconds: $0) }
                #expect(polling.wake(at: now) == .ask(test.code, holding: expected))
            }
        }

        @Test func `has requests held as long as before once the network is back`() throws {
            var polling = try test.asking(under: .init(wait: wait))
            _ = polling.receive(.failed(.notReachable, retryAfter: nil), at: now)
            clock.advance(by: .seconds(10))
            _ = polling.wake(at: now)
            _ = polling.receive(.pending(held: nil), at: now)
            clock.advance(by: .seconds(5))
            #expect(polling.wake(at: now) == .ask(test.code, holding: wait))
        }
    }
}
