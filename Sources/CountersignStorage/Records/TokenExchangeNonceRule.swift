internal import Countersign
internal import CountersignWire

/// The rule for the `nonce` of an ID token that a client exchanges.
///
/// The nonce distinguishes the app that signed the person in from a thief of the token. An addition of Countersign.
/// Standard: OpenID Connect Core 1.0 §3.1.3.7 (11), §15.5.2.
public enum TokenExchangeNonceRule: String, Sendable, Equatable, Codable, CaseIterable {
    /// The client presents a nonce if the token has one, and none otherwise. The token has the nonce itself or its
    /// digest; only the digest keeps a thief of the token from presenting it.
    case matching
    /// The token has the digest of a nonce that the client presents. A stolen token cannot be exchanged without the
    /// nonce.
    case hashed
    /// The same, and this server gave the nonce to that client a moment ago, for this one exchange.
    case issued
    /// A nonce that the client presents has to fit, but it may leave it out. For software of providers that puts a
    /// nonce of its own into tokens and does not say which.
    case unchecked
}
