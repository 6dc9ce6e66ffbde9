/// Why no whole answer came.
///
/// Two errors are equal when their codes are; the reason is for the log.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure that lead to different steps.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// No connection came about: no network, no such host, nobody listening.
        case notReached
        /// The other side could not prove by its certificate that it is the one that was asked.
        case notTrusted
        /// The connection ended before the answer was whole.
        case interrupted
        /// The time limit passed.
        case timedOut
        /// The answer is longer than ``HTTPAnswer/longestBody``.
        case tooLarge
        /// The task was cancelled.
        case cancelled
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened, for the log.
    public let reason: String

    /// A failure with its reason.
    public init(_ code: Code, because reason: String) {
        self.code = code
        self.reason = reason
    }

    public static func == (left: TransportError, right: TransportError) -> Bool {
        left.code == right.code
    }

    public var description: String { "\(code.rawValue): \(reason)" }
}
