internal import Crypto
public import FoundationEssentialsCompat

/// A key that signs the beginning and the end of the audit. It is stored outside the database, so that access to the
/// database does not suffice for a signature.
public struct AuditSealKey: Sendable {
    private let key: P256.Signing.PrivateKey

    /// The problem of a key or a sealed head.
    public enum SealError: Error, Sendable, Hashable {
        /// The text is no private or public key on P-256 in PEM.
        case noKey
        /// The text is no sealed head, or this key did not sign it.
        case notSealed
    }

    /// Makes a new key.
    public init() {
        key = P256.Signing.PrivateKey()
    }

    /// Reads a private key on P-256.
    ///
    /// - Throws: ``SealError/noKey``.
    public init(pem: String) throws(SealError) {
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else { throw .noKey }
        self.key = key
    }

    /// The private key as PEM. It is a secret.
    public var pem: String { key.pemRepresentation }
    /// The public key as PEM, which verifies sealed heads.
    public var publicPEM: String { key.publicKey.pemRepresentation }

    /// Signs the beginning and the end of the audit.
    ///
    /// - Parameters:
    ///   - extent: The beginning and the end, from ``Audit/extent(at:)``.
    ///   - now: The current time.
    /// - Returns: A compact JWS by ES256 of the type `countersign-audit-head+jwt`; it holds no secret.
    /// - Throws: `CryptoKitError`, which does not happen with a valid key.
    ///
    /// Standard: RFC 7515 §3.1.
    public func seal(_ extent: AuditExtent, at now: Date) throws -> String {
        let header = CompactJWS.Header(algorithm: SigningAlgorithm.es256.rawValue, type: Self.type)
        let claims = Claims(
            number: extent.head.number, hash: "\(extent.head.hash)", first: extent.first,
            oldest: Int(extent.oldest.timeIntervalSince1970), issued: Int(now.timeIntervalSince1970))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return try CompactJWS.text(
            header: CompactJSON.bytes(of: header),
            payload: Array(try encoder.encode(claims)),
            signedBy: { try Array(key.signature(for: $0).rawRepresentation) }
        )
    }

    private static let type = "countersign-audit-head+jwt"

    private struct Claims: Codable {
        let number: Int
        let hash: String
        let first: Int
        let oldest: Int
        let issued: Int

        enum CodingKeys: String, CodingKey {
            case number, hash, first, oldest
            case issued = "iat"
        }
    }

    /// The end and the beginning of the audit at some time, attested by a key outside the database.
    public struct SealedHead: Sendable, Equatable {
        /// The number of the last entry.
        public let number: Int
        /// The hash of that entry, in hexadecimal.
        public let hash: String
        /// The number of the first entry that was left then.
        public let first: Int
        /// The time of that entry.
        public let oldest: Date
        /// The time of the seal.
        public let sealed: Date
    }

    /// Verifies sealed heads, by the private key or its public half.
    public struct Verifier: Sendable {
        private let key: P256.Signing.PublicKey

        /// Reads a key.
        ///
        /// - Parameter pem: The private or the public key as PEM.
        /// - Throws: ``SealError/noKey``.
        public init(pem: String) throws(SealError) {
            if let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) {
                self.key = key.publicKey
            } else if let key = try? P256.Signing.PublicKey(pemRepresentation: pem) {
                self.key = key
            } else {
                throw .noKey
            }
        }

        /// Reads a sealed head.
        ///
        /// - Parameter text: The head as it was logged.
        /// - Returns: The places and the times that it names.
        /// - Throws: ``SealError/notSealed``.
        public func head(in text: String) throws(SealError) -> SealedHead {
            guard let parts = CompactJWS(text), let header = CompactJWS.Header(reading: parts.headerBytes),
                header.algorithm == SigningAlgorithm.es256.rawValue, header.type == AuditSealKey.type,
                header.critical == nil,
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: parts.signature),
                key.isValidSignature(signature, for: parts.signedBytes),
                let claims = try? JSONDecoder().decode(Claims.self, from: Data(parts.payload))
            else { throw .notSealed }
            return SealedHead(
                number: claims.number,
                hash: claims.hash,
                first: claims.first,
                oldest: Date(timeIntervalSince1970: Double(claims.oldest)),
                sealed: Date(timeIntervalSince1970: Double(claims.issued))
            )
        }
    }
}
