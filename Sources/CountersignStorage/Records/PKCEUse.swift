internal import Countersign

/// Whether each authorization request of a client needs a PKCE challenge; its code is bound to the challenge.
///
/// Standard: RFC 7636 §4.3; RFC 9700 §2.1.1.
public enum PKCEUse: String, Sendable, Equatable, Codable, CaseIterable {
    /// A request without a challenge is refused.
    case required
    /// A request may have a `nonce` of OpenID Connect in its place, which the client compares. It is weaker: only the
    /// client notices a code that another person's browser brought.
    case optional
}

extension KeyedDecodingContainer {
    /// Reads the setting; a registration without it was made when every client needed PKCE.
    func decode(_ type: PKCEUse.Type, forKey key: Key) throws -> PKCEUse {
        try decodeIfPresent(type, forKey: key) ?? .required
    }
}
