/// The rule for the `nonce` in token exchange with ID tokens.
///
/// The nonce distinguishes the app of the sign-in from a thief of the token. An addition of Countersign.
/// Standard: OpenID Connect Core 1.0 §3.1.3.7 (11), §15.5.2.
public enum TokenExchangeNonceRule: String, Sendable, Equatable, Codable, CaseIterable {
    /// The client presents a nonce if the token has one, and none otherwise. The token has the nonce or its digest;
    /// only the digest protects a stolen token.
    case matching
    /// The token has the digest of the presented nonce, so a stolen token cannot be exchanged without the nonce.
    case hashed
    /// The same, and this server issued the nonce to the client for one exchange.
    case issued
    /// A presented nonce must match, but may be omitted: for provider SDKs that set a nonce and do not reveal it.
    case unchecked
}
