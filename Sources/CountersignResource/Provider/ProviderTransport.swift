public import HTTPTypes

/// The seam to the network over which a service asks its provider.
///
/// An implementation follows no redirect, keeps no cookie, and checks certificates as the platform does.
public protocol ProviderTransport: Sendable {
    /// Sends `request` with `body`, and waits for the whole answer no longer than `limit`.
    ///
    /// - Throws: anything, when no whole answer came; an answer with any status is no error. What is thrown is
    ///   described in the log, so it must not hold what was sent.
    func send(_ request: HTTPRequest, body: [UInt8], within limit: Duration) async throws -> ProviderAnswer
}

/// What a provider answered: status and fields, and the whole body.
public struct ProviderAnswer: Sendable, Equatable {
    /// The longest body that a transport takes in, 1 MiB.
    public static let longestBody = 1 << 20

    public let response: HTTPResponse
    public let body: [UInt8]

    public init(_ response: HTTPResponse, body: [UInt8] = []) {
        self.response = response
        self.body = body
    }
}
