import Countersign
import Foundation
import Testing

@testable import CountersignServer

@Suite("The times of polls")
struct PollTimesTests {
    let noon = Date(timeIntervalSince1970: 1_800_000_000)
    let one = SignInRequest.ID("one")

    @Test(arguments: [(0.0, true), (4.7, true), (4.8, false), (5, false), (500, false), (-3, false)])
    func `tell a poll that came too early`(after seconds: Double, isTooFast: Bool) {
        let times = PollTimes()
        #expect(!times.isTooFast(one, interval: 5, at: noon))
        #expect(times.isTooFast(one, interval: 5, at: noon + seconds) == isTooFast)
    }

    @Test func `count from the last poll, early or not`() {
        let times = PollTimes()
        _ = times.isTooFast(one, interval: 5, at: noon)
        #expect(times.isTooFast(one, interval: 5, at: noon + 4))
        #expect(times.isTooFast(one, interval: 5, at: noon + 8))
        #expect(!times.isTooFast(one, interval: 5, at: noon + 13))
    }

    @Test func `are kept apart by request`() {
        let times = PollTimes()
        _ = times.isTooFast(one, interval: 5, at: noon)
        #expect(!times.isTooFast(SignInRequest.ID("other"), interval: 5, at: noon))
    }

    @Test func `of one request can be forgotten`() {
        let times = PollTimes()
        _ = times.isTooFast(one, interval: 5, at: noon)
        times.forget(one)
        #expect(!times.isTooFast(one, interval: 5, at: noon))
    }

    @Test func `of the newest requests are remembered, of the oldest forgotten`() {
        let times = PollTimes(capacity: 10)
        for number in 0..<25 { _ = times.isTooFast(SignInRequest.ID("\(number)"), interval: 5, at: noon) }
        #expect(times.isTooFast(SignInRequest.ID("24"), interval: 5, at: noon))
        #expect(times.isTooFast(SignInRequest.ID("15"), interval: 5, at: noon))
        #expect(times.count == 10)
        #expect(!times.isTooFast(SignInRequest.ID("0"), interval: 5, at: noon))
    }

    @Test func `never fill more memory than their capacity`() {
        let times = PollTimes(capacity: 10)
        for number in 0..<10_000 {
            _ = times.isTooFast(SignInRequest.ID("\(number)"), interval: 5, at: noon)
            #expect(times.count <= 10)
        }
    }
}
