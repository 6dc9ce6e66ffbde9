/// The reason that no whole answer came.
///
/// The codes distinguish two cases. ``Code/notReached`` and ``Code/notTrusted`` mean that the request was never sent,
/// so that sending it again cannot do anything twice. ``Code/interrupted``, ``Code/timedOut`` and ``Code/tooLarge``
/// mean that it was sent and its answer was lost: the server may have acted on it. ``mayHaveArrived`` distinguishes the
/// cases.
///
/// ```swift
/// do throws(TransportError) {
///     return try await transport.send(request, body: body, within: .seconds(15))
/// } catch {
///     if error.mayHaveArrived { log("the answer was lost: \(error)") }
///     throw error
/// }
/// ```
///
/// Two errors are equal when their codes are; the reason is for the log.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure that lead to different steps.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The request was not sent: no network, no such host, nothing listens there, or no connection in time.
        case notReached
        /// The request was not sent: the server's certificate could not be verified.
        case notTrusted
        /// The request was sent, and its answer was lost or cut short: the connection ended, was reset, or was not
        /// HTTP.
        case interrupted
        /// The request was sent, and no whole answer came in time.
        case timedOut
        /// The request was sent, and the answer is longer than ``HTTPAnswer/longestBody``.
        case tooLarge
        /// The task was cancelled, at any point.
        case cancelled
    }

    /// The kind of the failure.
    public let code: Code
    /// The cause, for the log.
    public let reason: String

    /// A failure with its reason.
    public init(_ code: Code, because reason: String) {
        self.code = code
        self.reason = reason
    }

    /// Whether the server may have received the request, and acted on it.
    public var mayHaveArrived: Bool {
        switch code {
        case .notReached, .notTrusted: false
        case .interrupted, .timedOut, .tooLarge, .cancelled: true
        }
    }

    /// Whether two errors are of the same kind, whatever their reasons.
    public static func == (left: TransportError, right: TransportError) -> Bool {
        left.code == right.code
    }

    /// Kind and reason, for the log.
    public var description: String { "\(code.rawValue): \(reason)" }
}
