/// The answer to an authorization request that a client stores beforehand.
///
/// Standard: RFC 9126 §2.2.
package struct PushedAuthorizationResponse: Sendable, Equatable, Codable {
    /// The name of the request, which the client sends with the browser in place of the parameters. Used once.
    package let requestURI: String
    /// The lifetime, in seconds; `nil` when a server leaves it out.
    @OptionalSecondsMember package private(set) var expiresIn: Int?

    /// Creates an answer.
    package init(requestURI: String, expiresIn: Int?) {
        self.requestURI = requestURI
        self.expiresIn = expiresIn
    }

    enum CodingKeys: String, SnakeCaseKey { case requestURI, expiresIn }
}
