internal import Atomics
internal import CoreMetrics

/// The figures of one name with one set of labels.
protocol PrometheusSeries: AnyObject, Sendable {
    func write(_ name: String, _ labels: Labels, to text: inout PrometheusText)
}

/// A whole number that only grows.
final class PrometheusCounter: PrometheusSeries, CounterHandler {
    private let value = ManagedAtomic<Int64>(0)

    func increment(by amount: Int64) {
        value.wrappingIncrement(by: amount, ordering: .relaxed)
    }

    func reset() {
        value.store(0, ordering: .relaxed)
    }

    func write(_ name: String, _ labels: Labels, to text: inout PrometheusText) {
        text.add(name, labels, value.load(ordering: .relaxed).description)
    }
}

/// A number that can rise and fall; also used for floating-point counters.
final class PrometheusGauge: PrometheusSeries, MeterHandler, RecorderHandler, FloatingPointCounterHandler {
    private let bits = ManagedAtomic<UInt64>(0)

    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) {
        bits.store(value.bitPattern, ordering: .relaxed)
    }

    func increment(by amount: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let (isDone, found) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            if isDone { return }
            old = found
        }
    }

    func decrement(by amount: Double) { increment(by: -amount) }

    func record(_ value: Int64) { set(value) }

    func record(_ value: Double) { set(value) }

    func reset() { set(0.0) }

    func write(_ name: String, _ labels: Labels, to text: inout PrometheusText) {
        text.add(name, labels, PrometheusText.number(Double(bitPattern: bits.load(ordering: .relaxed))))
    }
}

/// Counts values by size.
///
/// It adds whole numbers; `unit` of them are one unit of the metric: a timer adds nanoseconds and reports seconds.
final class PrometheusHistogram: PrometheusSeries, RecorderHandler, TimerHandler {
    private let bounds: [Double]
    private let unit: Double
    /// The bounds in the unit of the added values.
    private let steps: [Int64]
    /// The counts by bound; the last one, without a bound, counts all greater values.
    private let counts: [ManagedAtomic<Int64>]
    private let sum = ManagedAtomic<Int64>(0)

    init(bounds: [Double], unit: Double) {
        self.bounds = bounds
        self.unit = unit
        steps = bounds.map { Int64($0 * unit) }
        counts = (0...bounds.count).map { _ in ManagedAtomic(0) }
    }

    func record(_ value: Int64) {
        var place = 0
        while place < steps.count, value > steps[place] { place += 1 }
        counts[place].wrappingIncrement(ordering: .relaxed)
        sum.wrappingIncrement(by: value, ordering: .relaxed)
    }

    func record(_ value: Double) {
        record(Int64(exactly: value.rounded()) ?? 0)
    }

    func recordNanoseconds(_ duration: Int64) { record(duration) }

    func write(_ name: String, _ labels: Labels, to text: inout PrometheusText) {
        var total: Int64 = 0
        for (place, count) in counts.enumerated() {
            total += count.load(ordering: .relaxed)
            let bound = place < bounds.count ? PrometheusText.number(bounds[place]) : "+Inf"
            text.add("\(name)_bucket", labels, upTo: bound, total.description)
        }
        text.add("\(name)_sum", labels, PrometheusText.number(Double(sum.load(ordering: .relaxed)) / unit))
        text.add("\(name)_count", labels, total.description)
    }
}
