/// The secret that proves that an app made the authorization request whose code it redeems (PKCE).
///
/// ```swift
/// let verifier: CodeVerifier = CodeMint(drawingFrom: .system).secret()
/// let challenge = CodeChallenge(of: verifier)     // sent with the authorization request
/// ```
///
/// Standard: RFC 7636 §4.1.
public struct CodeVerifier: Secret {
    /// The wire form of the verifier, in the token request.
    public let revealed: String
    /// Creates a verifier.
    ///
    /// - Parameter text: A text that was minted, 43 characters of base64url; any text is accepted.
    public init(revealing text: String) { revealed = text }

    /// Reads a verifier that a client presents; `nil` unless it has 43 to 128 of the characters `A-Z a-z 0-9 - . _ ~`.
    ///
    /// - Parameter text: The parameter `code_verifier` of a token request.
    public init?(parsing text: String) {
        guard (43...128).contains(text.utf8.count), text.utf8.allSatisfy(URLSafeText.isUnreserved) else { return nil }
        revealed = text
    }
}

/// The SHA-256 digest of a ``CodeVerifier``, which an authorization code is bound to; the method `S256`.
///
/// Standard: RFC 7636 §4.2.
public struct CodeChallenge: Sendable, Hashable {
    /// The name of the only supported method (`code_challenge_method`).
    public static let method = "S256"

    /// The digest.
    public let digest: SecretDigest

    /// Computes the challenge of a verifier.
    ///
    /// - Parameter verifier: The verifier, which stays with the client until it redeems the code.
    public init(of verifier: CodeVerifier) { digest = verifier.digest }

    /// Reads a challenge; `nil` unless it is the base64url of 32 bytes, 43 characters.
    ///
    /// - Parameter text: The parameter `code_challenge` of a request, whose method is `S256`.
    public init?(parsing text: String) {
        guard text.utf8.count == 43, let bytes = URLSafeText.decode(text), bytes.count == 32 else { return nil }
        digest = SecretDigest(restoring: bytes)
    }

    /// Whether this is the challenge of `verifier`; compared in constant time.
    ///
    /// - Parameter verifier: The verifier that a client presents with the code.
    public func isMet(by verifier: CodeVerifier) -> Bool { verifier.digest == digest }
}

extension CodeChallenge: CustomStringConvertible {
    /// The wire form of the challenge: 43 characters of base64url.
    public var description: String { URLSafeText.encode(digest.bytes) }
}

extension CodeChallenge: Codable {
    /// Reads a challenge from its wire form.
    ///
    /// - Throws: `DecodingError` when the value is no challenge.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard let challenge = CodeChallenge(parsing: try value.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "no challenge")
        }
        self = challenge
    }

    /// Writes the wire form of the challenge.
    ///
    /// - Throws: `EncodingError` from the encoder.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(description)
    }
}
