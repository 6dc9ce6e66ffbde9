package import FoundationEssentialsCompat

/// Remembers messages that may be used once, in a bounded amount of memory.
///
/// A full memory drops its older half. Messages as old as the dropped ones cannot be distinguished from replays any
/// more, so they are refused too: a flood makes the memory stricter and never larger.
package struct ReplayMemory: Sendable {
    /// The result of using a message.
    package enum Finding: Sendable, Equatable {
        /// It was not used before, and is remembered from now on.
        case new
        /// It was used before.
        case used
        /// It is so old that it may have been used and dropped.
        case tooOld
    }

    private let capacity: Int
    /// The messages used since ``began``.
    private var young: Set<SecretDigest> = []
    /// The messages used in the span before it.
    private var old: Set<SecretDigest> = []
    /// The limit of dropping: messages made up to this instant may be dropped.
    private var dropped = Date.distantPast
    /// The start of the younger generation.
    private var began = Date.distantPast

    /// Makes an empty memory.
    ///
    /// - Parameter capacity: The minimum number of messages that it remembers; it remembers twice as many at most.
    package init(capacity: Int) { self.capacity = max(1, capacity) }

    /// The number of messages that it remembers now.
    package var count: Int { young.count + old.count }

    /// Marks a message as used, atomically with the check whether it was used before.
    ///
    /// - Parameter made: The earliest possible instant of a use of the message, by the clock of the caller.
    package mutating func use(_ message: SecretDigest, made: Date, at now: Date) -> Finding {
        // The recorded instants are in the future after the clock was set back.
        dropped = min(dropped, now)
        began = min(began, now)
        if old.contains(message) { return .used }
        guard made > dropped else { return young.contains(message) ? .used : .tooOld }
        if young.count >= capacity {
            guard !young.contains(message) else { return .used }
            old = young
            young = []
            dropped = began
            began = now
        }
        return young.insert(message).inserted ? .new : .used
    }
}
