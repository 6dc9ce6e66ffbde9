/// The code that a server gives an app by way of a browser, and that the app redeems once for tokens.
///
/// The instant of minting and 208 random bits, as 43 characters of base64url.
/// Standard: RFC 6749 §1.3.1, §4.1.2 (`code`).
public struct AuthorizationCode: TimeOrderedSecret {
    /// The wire form of the code, in the redirect and the token request.
    public let revealed: String
    /// Creates an authorization code.
    ///
    /// - Parameter text: The code as the server minted it or as a redirect carried it; any text is accepted.
    public init(revealing text: String) { revealed = text }
}
