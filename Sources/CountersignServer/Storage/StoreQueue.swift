/// The queues in which callers of a store wait; the same for every kind of store.
package enum StoreQueue {
    /// The largest number of callers in one queue.
    package static let capacity = 10_000
    /// How long a caller waits for its turn; then it is refused.
    package static let longestWait: Duration = .seconds(5)

    /// What a caller gets when the queue is full.
    package static var full: StoreUnavailable { StoreUnavailable(.queueFull, reason: "the queue is full") }
}
