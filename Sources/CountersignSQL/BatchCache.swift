/// What the changes of one batched transaction share: counters that are written once, and rows that are read once.
///
/// Used by one thread only.
package final class BatchCache {
    /// The counters.
    package let counts = BatchRateCounters()
    /// The rows that the changes announced they would look up, and the clients that they looked up.
    package let prefetched = PrefetchedRows()

    package init() {}

    /// Begins another change; what earlier ones counted stays.
    package func beginChange() {
        counts.beginChange()
    }

    /// Undoes the counts of the current change, and forgets rows that it may have written.
    package func undoChange() {
        counts.undoChange()
        prefetched.forgetAll()
    }
}
