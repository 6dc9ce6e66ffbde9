public import Countersign
public import CountersignWire

/// How this server proves at another provider which client it is. It prints as redacted.
public enum ProviderCredential: Sendable, Equatable, Codable, CustomStringConvertible {
    /// Not at all; the code is bound to the verifier of its challenge alone.
    case none
    /// By a secret that the provider gave. Standard: RFC 6749 §2.3.1.
    case secret(String)
    /// By a statement that it signs with its own key on P-256, whose raw private half this is. Standard: OpenID Connect
    /// Core 1.0 §9 (`private_key_jwt`).
    case key([UInt8], id: JSONWebKey.ID)
    /// By a secret that is made of such a statement in the name of a team, as Apple demands it.
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

/// A secret that another provider gave this server. It is stored as it is, because it is sent, or signs what is sent; so
/// this one can be encoded.
public struct ProviderSecret: Secret, Codable {
    /// The secret in the clear.
    public let revealed: String
    /// Creates a secret from the text that the provider gave.
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
