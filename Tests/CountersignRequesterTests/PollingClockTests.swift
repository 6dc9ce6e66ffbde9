import Countersign
import CountersignTesting
import CountersignWire
import Testing

@testable import CountersignRequester

import FoundationEssentialsCompat

extension PollingTests {
    @Suite("and time")
    struct Time {
        let test = PollingTests()
        var clock: ManualClock { test.clock }
        var now: Moment { test.now }

        @Test(arguments: [-3_600.0, 3_600, 1_700_000_000])
        func `keeps its pace when somebody sets the date`(by jump: Double) throws {
            var polling = try test.asking()
            clock.setDate(clock.date + jump)

            let rest = clock.instant + .seconds(5)
            #expect(polling.receive(.pending(held: nil), at: now) == .rest(until: rest))
            #expect(polling.wake(at: now) == .rest(until: rest))
            clock.advance(to: rest)
            #expect(polling.wake(at: now) == .ask(test.code, holding: nil))
        }

        @Test func `tells the deadline by the date as it was set`() throws {
            let polling = try test.opened(lifetime: 600)
            #expect(polling.deadline(at: now) == clock.date + 600)
            clock.advance(by: .seconds(60))
            clock.setDate(clock.date + 86_400)
            #expect(polling.deadline(at: now) == clock.date + 540)
        }

        @Test(arguments: [-86_400.0, 0, 86_400])
        func `gives a code up after its life on the running clock, whatever the date`(jump: Double) throws {
            var polling = try test.asking(lifetime: 9)
            clock.setDate(clock.date + jump)
            #expect(polling.receive(.pending(held: nil), at: now) == .rest(until: clock.instant + .seconds(4)))
            clock.advance(by: .seconds(4))
            #expect(polling.wake(at: now) == .expired)
        }

        @Test func `asks once more when the device slept through the end of the code`() throws {
            var polling = try test.opened(lifetime: 600)
            clock.advance(by: .seconds(7_200))
            #expect(polling.wake(at: now) == .ask(test.code, holding: nil))
            #expect(polling.receive(.pending(held: nil), at: now) == .rest(until: clock.instant - .seconds(6_600)))
            #expect(polling.wake(at: now) == .expired)
        }

        @Test func `takes the tokens that a last request brings after the end of the code`() throws {
            var polling = try test.opened(lifetime: 600)
            clock.advance(by: .seconds(7_200))
            _ = polling.wake(at: now)
            let response = TokenResponse(accessToken: AccessToken(revealing: "t"), expiresIn: 60)
            #expect(polling.receive(.granted(response), at: now) == .granted(response))
        }

        @Test func `believes no code for longer than a day`() throws {
            let polling = try test.opened(lifetime: 1_000_000_000)
            #expect(polling.deadline(at: now) == clock.date + 86_400)
        }

        @Test func `replaces an expired code as often as it may`() throws {
            var polling = try test.asking(under: .init(renewals: 1))
            #expect(polling.receive(.expired(PollingTests.says(.expiredToken)), at: now) == .renew)
            #expect(polling.wake(at: now) == .nothing)

            try polling.renew(with: test.response(lifetime: 10, code: "another").awaited, at: now)
            clock.advance(by: .seconds(5))
            #expect(polling.wake(at: now) == .ask(DeviceCode(revealing: "another"), holding: nil))
            _ = polling.receive(.pending(held: nil), at: now)
            clock.advance(by: .seconds(5))
            #expect(polling.wake(at: now) == .expired)
        }

        @Test func `replaces a code that expired while it rested`() throws {
            var polling = try test.asking(lifetime: 8, under: .init(renewals: 1))
            _ = polling.receive(.pending(held: nil), at: now)
            clock.advance(by: .seconds(3))
            #expect(polling.wake(at: now) == .renew)
        }
    }
}
