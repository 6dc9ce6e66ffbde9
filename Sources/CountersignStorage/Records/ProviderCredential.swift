/// The credential of this server as a client of another provider. It prints as redacted.
public enum ProviderCredential: Sendable, Equatable, Codable, CustomStringConvertible {
    /// No client authentication (PKCE only).
    case none
    /// A client secret. Standard: RFC 6749 §2.3.1.
    case secret(String)
    /// `private_key_jwt` with a P-256 key, as its raw private half. Standard: OpenID Connect Core 1.0 §9.
    case key([UInt8], id: JSONWebKey.ID)
    /// A client secret generated as an Apple team JWT.
    case teamKey([UInt8], id: JSONWebKey.ID, team: String)

    /// The kind of credential; never the secret.
    public var description: String {
        switch self {
        case .none: "none"
        case .secret: "secret(redacted)"
        case .key(_, let id): "key(\(id), redacted)"
        case .teamKey(_, let id, let team): "teamKey(\(id), \(team), redacted)"
        }
    }
}

/// A secret from another provider. It is stored in the clear, because the server sends it or signs with it.
public struct ProviderSecret: Secret, Codable {
    /// The secret in the clear.
    public let revealed: String
    /// Creates a secret from its text.
    public init(revealing text: String) { revealed = text }

    /// Reads a secret from the store.
    ///
    /// - Throws: `DecodingError` when it is no text.
    public init(from decoder: any Decoder) throws {
        revealed = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the secret for the store.
    ///
    /// - Throws: `EncodingError` from the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(revealed)
    }
}
