package import CountersignServer
package import Foundation

/// The counts of one transaction in which many changes share: each is read once, and written once at the end.
///
/// Most changes of a busy server count the same few things. Used by one thread only.
package final class BatchCounts {
    private struct Entry {
        var count: Count?
        /// Whether it is to be written.
        var isNew: Bool
    }

    private var entries: [CountKey: Entry] = [:]
    /// What the change that runs has replaced, in order.
    private var replaced: [(key: CountKey, entry: Entry?)] = []
    /// What was known when the change that runs swept the table.
    private var beforeSweep: (entries: [CountKey: Entry], replaced: [(key: CountKey, entry: Entry?)])?

    package init() {}

    /// Another change begins; what was counted before it stays.
    package func beginChange() {
        replaced.removeAll(keepingCapacity: true)
        beforeSweep = nil
    }

    /// Forgets what was counted since the change began.
    package func undoChange() {
        if let beforeSweep { (entries, replaced) = beforeSweep }
        for (key, entry) in replaced.reversed() { entries[key] = entry }
        beginChange()
    }

    /// The count under a key; `lookUp` finds it in the table.
    package func find(_ key: CountKey, _ lookUp: () throws -> Count?) rethrows -> Count? {
        if let entry = entries[key] { return entry.count }
        let count = try lookUp()
        entries[key] = Entry(count: count, isNew: false)
        return count
    }

    /// Counts as ``CountRepository/add(_:to:lasting:at:)`` says.
    package func add(
        _ times: Int,
        to key: CountKey,
        lasting span: TimeInterval,
        at now: Date,
        _ lookUp: () throws -> Count?
    ) rethrows -> Count {
        let count = Count(adding: times, to: try find(key, lookUp), lasting: span, at: now)
        replaced.append((key, entries[key]))
        entries[key] = Entry(count: count, isNew: true)
        return count
    }

    /// What is to be written into the table, by key.
    package var written: [(key: CountKey, count: Count)] {
        entries.compactMap { key, entry in
            guard entry.isNew, let count = entry.count else { return nil }
            return (key, count)
        }.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }
    }

    /// The table is about to be swept, with everything in it that ``written`` says.
    package func beginSweep() {
        if beforeSweep == nil { beforeSweep = (entries, replaced) }
        entries = [:]
        replaced = []
    }
}

extension BatchCounts {
    /// Writes one count into the table.
    package static let writing: SQLStatement = """
        INSERT INTO counts (key, times, ends) VALUES (?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET times = excluded.times, ends = excluded.ends
        """

    /// The values for ``writing``, for every count that is to be written.
    package var rows: [[SQLValue?]] {
        written.map { key, count in [key.bytes.column, count.times.column, count.ends.column] }
    }
}

extension Count {
    /// What a count becomes; one whose span is over, or was begun before the clock was set back, begins anew.
    init(adding times: Int, to count: Count?, lasting span: TimeInterval, at now: Date) {
        let end = now + span
        if let count, count.ends > now, count.ends <= end {
            self.init(times: max(0, count.times + times), ends: count.ends)
        } else {
            self.init(times: max(0, times), ends: end)
        }
    }
}
