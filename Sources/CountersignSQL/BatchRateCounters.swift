package import CountersignStorage
package import FoundationEssentialsCompat

/// Caches rate counters for one batched transaction: each is read once and written once, at commit.
///
/// Most changes of a busy server use the same few counters. Used by one thread only.
package final class BatchRateCounters {
    private struct Entry {
        var count: RateCounter?
        /// Whether it is to be written.
        var isNew: Bool
    }

    private var entries: [RateCounterKey: Entry] = [:]
    /// The entries that the current change has replaced, in order.
    private var replaced: [(key: RateCounterKey, entry: Entry)] = []
    /// The entries before the current change swept the table.
    private var beforeSweep: (entries: [RateCounterKey: Entry], replaced: [(key: RateCounterKey, entry: Entry)])?

    package init() {}

    /// Begins another change; counts of earlier ones stay.
    package func beginChange() {
        replaced.removeAll(keepingCapacity: true)
        beforeSweep = nil
    }

    /// Undoes the counts of the current change.
    package func undoChange() {
        if let beforeSweep { (entries, replaced) = beforeSweep }
        for (key, entry) in replaced.reversed() { entries[key] = entry }
        beginChange()
    }

    /// The count under a key; `lookUp` finds it in the table.
    package func find(_ key: RateCounterKey, _ lookUp: () throws -> RateCounter?) rethrows -> RateCounter? {
        if let entry = entries[key] { return entry.count }
        let count = try lookUp()
        entries[key] = Entry(count: count, isNew: false)
        return count
    }

    /// Counts as ``RateCounterRepository/add(_:to:lasting:leaking:at:)`` says.
    package func add(
        _ times: Int,
        to key: RateCounterKey,
        lasting span: TimeInterval,
        leaking pause: TimeInterval? = nil,
        at now: Date,
        _ lookUp: () throws -> RateCounter?
    ) rethrows -> RateCounter {
        let before = try entries[key] ?? Entry(count: lookUp(), isNew: false)
        let count = RateCounter(adding: times, to: before.count, lasting: span, leaking: pause, at: now)
        replaced.append((key, before))
        entries[key] = Entry(count: count, isNew: true)
        return count
    }

    /// Forgets the count under a key, which the caller removes from the table; returns whether there was one.
    package func remove(_ key: RateCounterKey, _ lookUp: () throws -> RateCounter?) rethrows -> Bool {
        let before = try entries[key] ?? Entry(count: lookUp(), isNew: false)
        replaced.append((key, before))
        entries[key] = Entry(count: nil, isNew: false)
        return before.count != nil
    }

    /// The counters to write into the table, by key.
    package var written: [(key: RateCounterKey, count: RateCounter)] {
        entries.compactMap { key, entry in
            guard entry.isNew, let count = entry.count else { return nil }
            return (key, count)
        }.sorted { $0.key < $1.key }
    }

    /// Begins a sweep of the table, after the caller has written ``written`` into it.
    package func beginSweep() {
        if beforeSweep == nil { beforeSweep = (entries, replaced) }
        entries = [:]
        replaced = []
    }
}

extension BatchRateCounters {
    /// Writes one count into the table.
    package static let writing = SQLStatement.upsert(
        into: "counts", ["key", "times", "ends", "drained", "counted"], key: ["key"])

    /// The values for ``writing``, for every counter to write.
    package var rows: [[SQLValue?]] {
        written.map { key, count in
            [key.bytes.column, count.times.column, count.ends.column, count.drained?.column, count.counted?.column]
        }
    }
}

extension RateCounter {
    /// Adds to a counter. A counter whose span has ended, or began before the clock was set back, starts at zero.
    ///
    /// The part that has not leaked yet stays when a span ends, but never takes longer than a span.
    init(
        adding times: Int,
        to count: RateCounter?,
        lasting span: TimeInterval,
        leaking pause: TimeInterval?,
        at now: Date
    ) {
        let end = now + span
        let drained = pause.map { pause in
            let before = max(count?.drained(at: now, lasting: span) ?? now, now)
            return min(max(before + Double(times) * pause, now), end)
        }
        let counted = pause.map { _ in now }
        if let count, Self.isCurrent(until: count.ends, lasting: span, at: now) {
            self.init(times: max(0, count.times + times), ends: count.ends, drained: drained, counted: counted)
        } else {
            self.init(times: max(0, times), ends: end, drained: drained, counted: counted)
        }
    }
}
