public import HTTPTypes
internal import FoundationEssentialsCompat

/// A proof of possession split into its parts, before any of it is trusted.
///
/// ```swift
/// let proof = try UnverifiedDPoPProof(in: request.headerFields)
/// let verified = try proof?.verified(for: target, freshBy: .byTime, at: now)
/// ```
///
/// Standard: RFC 9449 §4.2, §4.3.
public struct UnverifiedDPoPProof: Sendable {
    /// The type in its header (`typ`).
    public static let type = "dpop+jwt"
    /// The algorithms that are accepted, by their registered names.
    public static let algorithms = accepted.map(\.rawValue)
    /// The longest proof that is read, in bytes.
    static let longest = 4096

    /// Both use a key pair; a shared secret would prove nothing.
    static let accepted: [SigningAlgorithm] = [.es256, .rs256]

    private struct Header: Decodable {
        let algorithm: SigningAlgorithm
        let key: JSONWebKey
        let thumbprint: KeyThumbprint

        enum CodingKeys: String, CodingKey {
            case algorithm = "alg"
            case type = "typ"
            case key = "jwk"
            /// Extensions that a reader must understand; this one understands none.
            case critical = "crit"
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            let name = try fields.decode(String.self, forKey: .algorithm)
            key = try fields.decode(JSONWebKey.self, forKey: .key)
            let secrets = try fields.nestedContainer(keyedBy: SecretMembers.self, forKey: .key)
            guard let algorithm = accepted.first(where: { $0.rawValue == name }), key.keyType == algorithm.keyType,
                let thumbprint = KeyThumbprint(of: key), secrets.allKeys.isEmpty,
                try fields.decode(String.self, forKey: .type) == UnverifiedDPoPProof.type, !fields.contains(.critical)
            else { throw DecodingError.dataCorruptedError(forKey: .type, in: fields, debugDescription: "another type") }
            self.algorithm = algorithm
            self.thumbprint = thumbprint
        }
    }

    /// The members of a key that must never be sent. Standard: RFC 7518 §6.2.2, §6.3.2, §6.4.1.
    private enum SecretMembers: String, CodingKey {
        case d, p, q, dp, dq, qi, oth, k
    }

    /// The public key that the proof names.
    public let key: JSONWebKey
    package let thumbprint: KeyThumbprint
    let claims: DPoPProofClaims
    package let algorithm: SigningAlgorithm
    private let parts: CompactJWS

    /// Splits a proof. Nothing is verified.
    ///
    /// - Parameter text: A compact JWS of at most 4,096 bytes.
    /// - Throws: ``OAuthError`` `invalid_dpop_proof` when it is no proof of this form.
    public init(_ text: String) throws(OAuthError) {
        guard text.utf8.count <= Self.longest, let parts = CompactJWS(text),
            let header = try? JSONDecoder().decode(Header.self, from: Data(parts.headerBytes)),
            let claims = try? JSONDecoder().decode(DPoPProofClaims.self, from: Data(parts.payload))
        else { throw OAuthError(.invalidDPoPProof, "the proof is malformed", because: "malformed DPoP proof") }
        key = header.key
        thumbprint = header.thumbprint
        algorithm = header.algorithm
        self.claims = claims
        self.parts = parts
    }

    /// Reads the proof of a request.
    ///
    /// - Parameter fields: The header fields of the request; `nil` is returned when none is a `DPoP`.
    /// - Throws: ``OAuthError`` `invalid_dpop_proof` for several of them, and for a malformed one.
    public init?(in fields: HTTPFields) throws(OAuthError) {
        let values = fields[values: .dpop]
        guard let value = values.first else { return nil }
        guard values.count == 1 else {
            throw OAuthError(.invalidDPoPProof, "more than one DPoP header", because: "\(values.count) DPoP headers")
        }
        try self.init(value)
    }

    /// Whether the key in the header signed the proof.
    var isSignedByItsKey: Bool { algorithm.verifies(parts.signature, over: parts.signedBytes, by: key) }
}

/// Prints as redacted, because any party that has the text can send it while it is fresh.
extension UnverifiedDPoPProof: Redacted {}
