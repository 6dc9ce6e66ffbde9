/// The answer to an authorization request that a client stores beforehand.
///
/// Standard: RFC 9126 §2.2.
public struct PushedAuthorizationResponse: Sendable, Equatable, Codable {
    /// The name of the request, which the client sends with the browser in place of the parameters. Used once.
    public let requestURI: String
    /// The lifetime, in seconds; `nil` when a server leaves it out.
    @OptionalSecondsMember public private(set) var expiresIn: Int?

    /// Creates an answer.
    public init(requestURI: String, expiresIn: Int?) {
        self.requestURI = requestURI
        self.expiresIn = expiresIn
    }

    enum CodingKeys: String, CodingKey {
        case requestURI = "request_uri"
        case expiresIn = "expires_in"
    }
}
