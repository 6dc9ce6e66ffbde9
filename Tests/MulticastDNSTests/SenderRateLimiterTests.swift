import CountersignTesting
import MulticastDNS
import Testing

@Suite("The rate limit of senders on a link")
struct SenderRateLimiterTests {
    private var limiter = SenderRateLimiter(at: Fixture.noon)

    private func host(_ number: Int) -> [UInt8] { [10, 0, UInt8(number / 250), UInt8(number % 250)] }

    @Test mutating func `reads two hundred packets of a sender in a second, and as many in the next`() {
        func read(at moment: ContinuousClock.Instant) -> Int {
            (0..<1000).count { _ in limiter.admits(100, questions: 1, from: host(1), isBusy: false, at: moment) }
        }
        #expect(read(at: Fixture.noon) == 200)
        #expect(read(at: Fixture.noon + .milliseconds(900)) == 0)
        #expect(read(at: Fixture.noon + .seconds(1)) == 200)
    }

    @Test mutating func `counts a large packet and many questions as several packets`() {
        let large = (0..<1000).count { _ in
            limiter.admits(9000, questions: 1, from: host(1), isBusy: false, at: Fixture.noon)
        }
        #expect(large == 28)
        let asking = (0..<1000).count { _ in
            limiter.admits(1400, questions: 239, from: host(2), isBusy: false, at: Fixture.noon)
        }
        #expect(asking == 25)
    }

    @Test mutating func `reads what hundreds of hosts answer at once`() {
        for number in 0..<1000 {
            let both = (0..<2).count { _ in
                limiter.admits(1400, questions: 0, from: host(number), isBusy: false, at: Fixture.noon)
            }
            #expect(both == 2)
        }
    }

    @Test mutating func `reads a host that sends little beside a hundred that send a hundred times a second each`() {
        for step in 0..<10_000 {
            let now = Fixture.noon + .milliseconds(step / 5)
            for _ in 0..<2 { _ = limiter.admits(1400, questions: 1, from: host(step % 100), isBusy: false, at: now) }
            guard step.isMultiple(of: 1000) else { continue }
            let isRead = limiter.admits(300, questions: 0, from: host(900), isBusy: false, at: now)
            #expect(isRead)
        }
    }

    @Test mutating func `reads two thousand packets a second of forged senders, spread over that second`() {
        var read: [Int] = []
        for step in 0..<20_000 {
            let now = Fixture.noon + .milliseconds(step / 10)
            if limiter.admits(100, questions: 0, from: host(step), isBusy: false, at: now) { read.append(step) }
        }
        let second = read.filter { $0 >= 10_000 }
        #expect((1_900...2_100).contains(second.count))
        let parts = Dictionary(grouping: second) { $0 / 1000 }
        #expect(parts.count == 10 && parts.values.allSatisfy { $0.count > 100 })
    }

    @Test mutating func `reads senders that send little while many packets wait`() {
        let flood = (0..<100).count { _ in
            limiter.admits(100, questions: 1, from: host(1), isBusy: true, at: Fixture.noon)
        }
        #expect(flood == 8)
        let isRead = limiter.admits(100, questions: 1, from: host(2), isBusy: true, at: Fixture.noon)
        #expect(isRead)
    }
}
