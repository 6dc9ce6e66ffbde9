/// Whether each authorization request of a client needs a PKCE challenge; its code is bound to the challenge.
///
/// Standard: RFC 7636 §4.3; RFC 9700 §2.1.1.
public enum PKCEUse: String, Sendable, Equatable, Codable, CaseIterable {
    /// A request without a challenge is refused.
    case required
    /// A request may have an OpenID Connect `nonce` instead, which is weaker: only the client can detect an injected
    /// code.
    case optional
}

extension KeyedDecodingContainer {
    /// Reads the setting; `required` for older registrations without it.
    func decode(_ type: PKCEUse.Type, forKey key: Key) throws -> PKCEUse {
        try decodeIfPresent(type, forKey: key) ?? .required
    }
}
