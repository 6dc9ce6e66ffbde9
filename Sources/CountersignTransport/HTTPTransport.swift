public import HTTPTypes

/// The seam to a network: sends one request and brings back its whole answer.
///
/// An implementation follows no redirect, keeps no cookie, and gives up as soon as its task is cancelled, even while
/// a server holds the request open. It checks certificates as the platform does.
public protocol HTTPTransport: Sendable {
    /// Sends `request` with `body`, and waits for the answer no longer than `limit`.
    ///
    /// - Throws: ``TransportError`` when no whole answer came; an answer with any status is no error.
    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer
}

/// What a server answered: status and fields, and the whole body.
public struct HTTPAnswer: Sendable, Equatable {
    /// The longest body that a transport takes in, 1 MiB; a longer one is a ``TransportError``.
    public static let longestBody = 1 << 20

    /// Status and header fields.
    public let response: HTTPResponse
    /// The body, whole.
    public let body: [UInt8]

    /// An answer out of its parts.
    public init(_ response: HTTPResponse, body: [UInt8] = []) {
        self.response = response
        self.body = body
    }
}
