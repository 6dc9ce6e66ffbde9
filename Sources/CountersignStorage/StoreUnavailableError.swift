/// The database cannot be used for a while; the same request can succeed a little later.
///
/// Two errors are equal when their codes are.
public struct StoreUnavailableError: CodedError, CustomStringConvertible {
    /// The known outcome of the change or look-up.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// It was not made, and has no effect.
        case notDone
        /// The same, because the queue for the working database is full.
        case queueFull
        /// The connection was lost during a commit, or the commit takes too long: the change may have been made.
        case outcomeUnknown
    }

    /// The known outcome of the change or look-up.
    public let code: Code
    /// The message of the system or the database, for the log.
    public let reason: String

    /// Creates an error.
    public init(_ code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// A sentence for the log.
    public var description: String {
        switch code {
        case .notDone, .queueFull: "The database cannot be used at the moment (\(reason))."
        case .outcomeUnknown: "The database did not answer a commit, whose outcome is unknown (\(reason))."
        }
    }
}

/// The queues of callers that wait for a store; the same for every kind of store.
package enum StoreQueue {
    /// The largest number of callers in one queue.
    package static let capacity = 10_000
    /// The longest wait of a caller for its turn; then it is refused.
    package static let longestWait: Duration = .seconds(5)

    /// The error for a full queue.
    package static var full: StoreUnavailableError { StoreUnavailableError(.queueFull, reason: "the queue is full") }
}
