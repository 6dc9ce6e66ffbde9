/// The secret that an app keeps to itself while a person signs in at another provider, and shows when it exchanges the
/// ID token.
///
/// The app gives the provider the ``challenge`` as the `nonce` of its request, and the provider puts that into the
/// token. So a thief of the token cannot exchange it: the token contains the challenge, but not its nonce.
///
/// ```swift
/// let nonce = SubjectTokenNonce(drawingFrom: .system)
/// appleRequest.nonce = nonce.challenge
/// // Later, with the token that came of it:
/// var exchange = TokenExchangeRequest(SubjectToken(revealing: idToken), of: .idToken)
/// exchange.nonce = nonce
/// ```
///
/// A server may demand its own nonce; ``ExchangeNonceResponse`` carries one.
///
/// An addition of Countersign to RFC 8693. Standard: OpenID Connect Core 1.0 §15.5.2 (a nonce as a digest).
public struct SubjectTokenNonce: Secret {
    /// The longest nonce that is read, in bytes.
    static let longest = 256

    /// The text that the app keeps.
    public let revealed: String

    public init(revealing text: String) { revealed = text }

    /// Draws a nonce of 32 bytes.
    ///
    /// - Parameter random: The source of randomness; `.system` outside tests.
    public init(drawingFrom random: RandomSource) { self.init(revealing: URLSafeText.encode(random.bytes(32))) }

    /// The value for the provider, which it includes in the token: the SHA-256 digest in lower-case hexadecimal digits,
    /// as apps with Sign in with Apple and Google send it.
    public var challenge: String { HexadecimalText.encode(digest.bytes) }

    /// The two spellings of the digest that a token may have: ``challenge``, and base64url.
    package var challenges: [String] { [challenge, URLSafeText.encode(digest.bytes)] }
}

/// The answer of the endpoint that gives nonces for token exchange (`exchange_nonce_endpoint`).
///
/// An addition of Countersign, in the form of OpenID for Verifiable Credential Issuance 1.0 §7.2.
package struct ExchangeNonceResponse: Sendable, Equatable, Codable {
    /// The nonce, for one exchange by the client that asked.
    @Member<SubjectTokenNonceForm> public private(set) var nonce: SubjectTokenNonce
    /// The lifetime, in seconds.
    @SecondsMember package private(set) var expiresIn: Int

    /// Creates an answer.
    package init(nonce: SubjectTokenNonce, expiresIn: Int) {
        self.nonce = nonce
        self.expiresIn = expiresIn
    }

    private enum CodingKeys: String, SnakeCaseKey { case nonce, expiresIn }
}

/// The form of a nonce in an answer: 1 to 256 bytes in the clear.
public enum SubjectTokenNonceForm: MemberForm {
    public static func read(from decoder: any Decoder) throws -> SubjectTokenNonce {
        let value = try decoder.singleValueContainer()
        let nonce = SubjectTokenNonce(revealing: try value.decode(String.self))
        guard (1...SubjectTokenNonce.longest).contains(nonce.revealed.utf8.count) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "a nonce is 1 to 256 bytes")
        }
        return nonce
    }

    public static func write(_ value: SubjectTokenNonce, to encoder: any Encoder) throws {
        try value.revealed.encode(to: encoder)
    }
}
