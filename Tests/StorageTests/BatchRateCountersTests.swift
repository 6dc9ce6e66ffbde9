import Countersign
import CountersignServer
import Foundation
import Testing

@testable import CountersignSQL

@Suite("The counts of a batch")
struct BatchRateCountersTests {
    private let noon = Date(timeIntervalSince1970: 1_800_000_000)
    private let key = RateCounterKey(CounterName("a"), of: "somebody")
    private let other = RateCounterKey(CounterName("a"), of: "somebody else")

    @Test func `read each count once, and write it once`() {
        let counts = BatchRateCounters()
        var looked = 0
        for _ in 0..<3 {
            counts.beginChange()
            _ = counts.add(1, to: key, lasting: 60, at: noon) {
                looked += 1
                return RateCounter(times: 4, ends: noon + 30)
            }
        }
        #expect(looked == 1)
        #expect(counts.written.map(\.count) == [RateCounter(times: 7, ends: noon + 30)])
    }

    @Test func `do not write what was only looked up`() {
        let counts = BatchRateCounters()
        #expect(counts.find(key) { nil } == nil)
        #expect(counts.find(other) { RateCounter(times: 2, ends: noon) } == RateCounter(times: 2, ends: noon))
        #expect(counts.written.isEmpty)
    }

    @Test func `forget what a change counted that failed, and nothing else`() {
        let counts = BatchRateCounters()
        counts.beginChange()
        add(to: key, counts)
        counts.beginChange()
        for _ in 0..<3 { add(to: key, counts) }
        add(to: other, counts)
        counts.undoChange()
        #expect(counts.written.map(\.key) == [key])
        #expect(counts.written.map(\.count.times) == [1])
        counts.beginChange()
        #expect(add(to: other, counts).times == 1)
    }

    @Test func `are not written when they were removed, unless that fails`() {
        let counts = BatchRateCounters()
        counts.beginChange()
        add(to: key, counts)
        counts.beginChange()
        #expect(counts.remove(key) { nil })
        #expect(!counts.remove(other) { nil })
        #expect(counts.written.isEmpty)
        #expect(counts.find(key) { RateCounter(times: 9, ends: noon) } == nil)
        counts.undoChange()
        #expect(counts.written.map(\.key) == [key])
    }

    @Test func `are as before a sweep when the change that swept fails`() {
        let counts = BatchRateCounters()
        counts.beginChange()
        add(to: key, counts)
        counts.beginChange()
        add(to: other, counts)
        counts.beginSweep()
        #expect(counts.written.isEmpty)
        add(to: other, counts)
        counts.beginSweep()
        add(to: key, counts)
        counts.undoChange()
        #expect(counts.written.map(\.key) == [key])
        #expect(counts.written.map(\.count.times) == [1])
    }

    @discardableResult
    private func add(to key: RateCounterKey, _ counts: BatchRateCounters) -> RateCounter {
        counts.add(1, to: key, lasting: 60, at: noon) { nil }
    }
}
