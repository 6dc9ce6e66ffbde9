package import CountersignServer

/// Collects what one change of a store changes, so that the store can tell its observers after the commit.
///
/// It also has the counts of the transaction in which the change runs. Used by one thread only.
package final class ChangeCollector {
    package private(set) var collected: [StoreChange] = []
    let counts: BatchCounts

    package init(counts: BatchCounts) {
        self.counts = counts
    }

    func add(_ change: StoreChange) {
        collected.append(change)
    }
}
