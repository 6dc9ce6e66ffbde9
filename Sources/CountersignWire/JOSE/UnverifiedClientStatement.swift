internal import FoundationEssentialsCompat

/// A JWT that a client signed with one of its registered keys, before any of it is trusted.
///
/// Assertions (``UnverifiedClientAssertion``) and request objects (``UnverifiedRequestObject``) are such statements.
/// Their common part is verified only here. Standard: RFC 7515 §5.2; RFC 7519 §4.1, §7.2; RFC 8725 §3.
struct UnverifiedClientStatement: Sendable {
    /// The algorithms that are accepted of clients in general.
    static let accepted: [SigningAlgorithm] = [.es256, .ps256, .rs256]
    /// The greatest difference between the two clocks that is tolerated, in seconds.
    static let leeway: TimeInterval = 30

    /// The reason that a statement is refused; for the log.
    struct StatementError: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    /// The receiver's demands.
    struct Demands {
        let keys: JSONWebKeySet
        let algorithms: ClientAlgorithms
        /// The names of the receiver; the statement must hold one of them.
        let audiences: [String]
        /// The longest remaining validity of the statement, in seconds.
        let longestLife: TimeInterval
    }

    /// The claims that each kind of statement may have.
    struct Claims: Decodable {
        let audience: Audience?
        let expires: TimeInterval?
        let issued: TimeInterval?
        let notBefore: TimeInterval?

        enum CodingKeys: String, CodingKey {
            case audience = "aud"
            case expires = "exp"
            case issued = "iat"
            case notBefore = "nbf"
        }
    }

    /// The claims as JSON.
    let payload: [UInt8]
    let claims: Claims
    private let algorithm: SigningAlgorithm
    private let keyID: JSONWebKey.ID?
    private let parts: CompactJWS

    /// Splits a statement; `nil` when it is malformed or unsigned.
    ///
    /// - Parameters:
    ///   - text: A compact JWS of at most `longest` bytes.
    ///   - types: The types that the header may name, in lower case and without `application/`, and `nil` if it may
    ///     name none; another kind of token of the same key must not pass.
    init?(_ text: String, longest: Int, types: Set<String?>) {
        guard text.utf8.count <= longest, let parts = CompactJWS(text),
            let header = CompactJWS.Header(reading: parts.headerBytes),
            header.critical == nil, types.contains(header.type.map(Self.short)),
            let algorithm = Self.accepted.first(where: { $0.rawValue == header.algorithm }),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(parts.payload))
        else { return nil }
        self.claims = claims
        self.algorithm = algorithm
        payload = parts.payload
        keyID = header.keyID
        self.parts = parts
    }

    /// Returns a type in lower case, without the `application/` that it may begin with.
    ///
    /// Standard: RFC 7515 §4.1.9.
    private static func short(_ type: String) -> String {
        let type = type.lowercased()
        let prefix = "application/"
        return type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type
    }

    /// Verifies signature, audience and times, and returns the thumbprint of the key that signed.
    ///
    /// Missing times are not judged: each kind of statement defines its required members.
    ///
    /// - Throws: ``StatementError``.
    func signer(meeting demands: Demands, at now: Date) throws(StatementError) -> KeyThumbprint {
        guard demands.algorithms.accepted.contains(algorithm) else {
            throw StatementError("\(algorithm) is not accepted")
        }
        guard let key = demands.keys.key(for: algorithm, named: keyID),
            let thumbprint = KeyThumbprint(of: key.published)
        else { throw StatementError("no registered key fits") }
        guard algorithm.verifies(parts.signature, over: parts.signedBytes, by: key) else {
            throw StatementError("the signature is wrong")
        }
        guard let audience = claims.audience, demands.audiences.contains(where: audience.names.contains) else {
            throw StatementError("aud is another server")
        }
        let seconds = now.timeIntervalSince1970
        if let expires = claims.expires {
            guard expires > seconds - Self.leeway else { throw StatementError("exp is past") }
            guard expires <= seconds + demands.longestLife else { throw StatementError("exp is too far ahead") }
        }
        guard max(claims.issued ?? seconds, claims.notBefore ?? seconds) <= seconds + Self.leeway else {
            throw StatementError("iat or nbf is not reached")
        }
        return thumbprint
    }

    /// The digest of the whole text, signature included.
    var textDigest: SecretDigest {
        SecretDigest(of: String(decoding: parts.signedBytes, as: UTF8.self) + "." + URLSafeText.encode(parts.signature))
    }
}

/// The algorithms that a client may sign with.
public struct ClientAlgorithms: Sendable, Equatable {
    package let accepted: [SigningAlgorithm]

    /// ES256, PS256 and RS256.
    public static let all = ClientAlgorithms(accepted: UnverifiedClientStatement.accepted)
    /// Those of FAPI 2.0: ES256 and PS256.
    ///
    /// Standard: FAPI 2.0 Security Profile §5.4.1.
    public static let fapi2 = ClientAlgorithms(accepted: [.es256, .ps256])

    /// Those among them with this name; all of them for `nil`.
    package func only(_ name: String?) -> ClientAlgorithms {
        guard let name else { return self }
        return ClientAlgorithms(accepted: accepted.filter { $0.rawValue == name })
    }

    /// The registered names of the algorithms.
    public var names: [String] { accepted.map(\.rawValue) }
}
