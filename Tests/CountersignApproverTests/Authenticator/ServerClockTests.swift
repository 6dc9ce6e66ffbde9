import Countersign
import Foundation
import Testing

@testable import CountersignApprover

@Suite("The clock of a server as a phone knows it")
struct ServerClockTests {
    private let noon = Date(timeIntervalSince1970: 1_800_000_000)
    private let start = ContinuousClock.now

    private func date(_ clock: ServerClock, after seconds: Double) -> Date {
        clock.date(at: Moment(instant: start + .seconds(seconds), date: .distantPast))
    }

    @Test func `is not set back by a date that is a part of a second old`() {
        var clock = ServerClock()
        clock.observe(noon, within: .zero, at: start)
        // 0.9 s later the server still says the same second.
        clock.observe(noon, within: .zero, at: start + .seconds(0.9))
        #expect(date(clock, after: 0.9) == noon + 0.9)
        // An answer that was held for 30 s says a date of its beginning.
        clock.observe(noon + 1, within: .seconds(30), at: start + .seconds(31))
        #expect(date(clock, after: 31) == noon + 31)
    }

    @Test func `follows a server whose clock was set, forth and back`() {
        var clock = ServerClock()
        clock.observe(noon, within: .zero, at: start)
        clock.observe(noon + 3600, within: .zero, at: start + .seconds(1))
        #expect(date(clock, after: 1) == noon + 3600)
        clock.observe(noon, within: .zero, at: start + .seconds(2))
        #expect(date(clock, after: 2) == noon + 2)
    }
}
