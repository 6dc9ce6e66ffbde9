public import Countersign

/// The database cannot be used for a while; the same request can succeed a little later.
///
/// Two errors are equal when their codes are.
public struct StoreUnavailable: CodedError, CustomStringConvertible {
    /// What is known about the change or look-up.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// It was not made, and left nothing behind.
        case notDone
        /// The same, because too many wait for the database, which works.
        case queueFull
        /// The connection was lost while a change was being committed, or the commit takes too long: it was made, or it
        /// was not.
        case outcomeUnknown
    }

    /// What is known about the change or look-up.
    public let code: Code
    /// What the system or the database said, for the log.
    public let reason: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: What is known about the change or look-up.
    ///   - reason: What the system or the database said, for the log. It must hold no secret.
    public init(_ code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// What happened, in a sentence for the log.
    public var description: String {
        switch code {
        case .notDone, .queueFull: "The database cannot be used at the moment (\(reason))."
        case .outcomeUnknown: "The database did not answer a commit, and whether it counts is unknown (\(reason))."
        }
    }
}

/// The queues in which callers of a store wait; the same for every kind of store.
package enum StoreQueue {
    /// The largest number of callers in one queue.
    package static let capacity = 10_000
    /// How long a caller waits for its turn; then it is refused.
    package static let longestWait: Duration = .seconds(5)

    /// What a caller gets when the queue is full.
    package static var full: StoreUnavailable { StoreUnavailable(.queueFull, reason: "the queue is full") }
}
