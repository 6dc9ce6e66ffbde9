internal import HTTPTypes
internal import Crypto
public import FoundationEssentialsCompat

/// The key that a client's tokens are bound to: a key on P-256 whose private half is in memory.
///
/// A token that is bound to the key is useless to a party that does not have the key.
///
/// ```swift
/// let key = DPoPKey(drawingFrom: .system)
/// if let target = DPoPTarget(.post, "https://id.example.com/token") {
///     request.headerFields[.dpop] = try key.proof(for: target, at: now, drawingFrom: .system)
/// }
/// ```
///
/// Standard: RFC 9449 §4.
public struct DPoPKey: Sendable {
    private let key: P256.Signing.PrivateKey
    /// The public half, included in each proof.
    public let publicKey: JSONWebKey
    /// The thumbprint of the public half, for `dpop_jkt`.
    public let thumbprint: KeyThumbprint

    /// Creates a key.
    ///
    /// - Parameter random: The source of its 32 secret bytes; `RandomSource.system` outside tests.
    public init(drawingFrom random: RandomSource) {
        while true {
            // Fewer than one in four billion draws is no key.
            if let made = DPoPKey(revealing: random.bytes(32)) {
                self = made
                return
            }
        }
    }

    /// Restores a key that was stored.
    ///
    /// - Parameter bytes: The 32 bytes of ``revealedBytes``; `nil` is returned for bytes that are no key.
    public init?(revealing bytes: [UInt8]) {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) else { return nil }
        let coordinates = Array(key.publicKey.rawRepresentation)
        let publicKey = JSONWebKey.p256(x: coordinates.prefix(32), y: coordinates.suffix(32))
        guard let thumbprint = KeyThumbprint(of: publicKey) else { return nil }
        self.key = key
        self.publicKey = publicKey
        self.thumbprint = thumbprint
    }

    /// The private half, to be stored like a password.
    public var revealedBytes: [UInt8] { Array(key.rawRepresentation) }

    /// Makes a proof for one request; each request needs a new proof.
    ///
    /// - Parameters:
    ///   - target: The method and URL of the request.
    ///   - token: The access token that the request presents; none at a token endpoint.
    ///   - nonce: The newest nonce that this server gave; `nil` when it gave none.
    ///   - now: The current time.
    ///   - random: The source of the proof's identifier.
    /// - Returns: The value of the header field `DPoP`.
    /// - Throws: `CryptoKitError` and `EncodingError`, which do not happen with a key in memory.
    public func proof(
        for target: DPoPTarget,
        presenting token: AccessToken? = nil,
        nonce: DPoPNonce? = nil,
        at now: Date,
        drawingFrom random: RandomSource
    ) throws -> String {
        let claims = DPoPProofClaims(
            id: DPoPProofID(URLSafeText.encode(random.bytes(16))),
            method: target.method.rawValue,
            uri: target.uri,
            issued: now.timeIntervalSince1970.rounded(.down),
            nonce: nonce,
            tokenDigest: token.map(DPoPProofClaims.digest)
        )
        return try text(header: Header(jwk: publicKey), claims)
    }

    func text(header: some Encodable, _ claims: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try CompactJWS.text(
            header: Array(try encoder.encode(header)),
            payload: Array(try encoder.encode(claims)),
            signedBy: { Array(try key.signature(for: Data($0)).rawRepresentation) }
        )
    }

    private struct Header: Encodable {
        let alg = SigningAlgorithm.es256.rawValue
        let typ = UnverifiedDPoPProof.type
        let jwk: JSONWebKey
    }
}

/// Two keys are equal when their public halves are.
extension DPoPKey: Equatable {
    /// Whether both are the same key.
    public static func == (left: DPoPKey, right: DPoPKey) -> Bool { left.thumbprint == right.thumbprint }
}

extension DPoPKey: Redacted {}
