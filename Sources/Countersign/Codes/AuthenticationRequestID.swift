/// The secret that identifies a back-channel request when its client is notified of the decision, or polls for it.
///
/// The instant of minting and 208 random bits, as 43 characters of base64url.
/// Standard: OpenID CIBA Core 1.0 §7.3 (`auth_req_id`).
public struct AuthenticationRequestID: TimeOrderedSecret {
    /// The identifier as the client sends it in each token request.
    public let revealed: String
    /// Creates an identifier.
    ///
    /// - Parameter text: The identifier as the server minted it or as a client presented it; any text is accepted.
    public init(revealing text: String) { revealed = text }
}
