internal import Crypto
public import FoundationEssentialsCompat

/// The certificates that an app accepts from its service, as a signed list.
///
/// A pin comes on top of the usual check of the certificate and takes nothing away from it. The list has a version that
/// only rises and an expiry, so that an old list cannot be replayed.
public struct PinnedCertificates: Sendable, Equatable {
    /// The reason that a list is not taken.
    public enum VerificationError: String, Error, Sendable, Hashable, CaseIterable {
        /// It is no such list.
        case malformed
        /// The service did not sign it.
        case signature
        /// It has expired.
        case expired
        /// A newer one was accepted before.
        case older
    }

    /// The version of the list: the next one has a higher number.
    public let version: Int
    /// The expiry of the list.
    public let expires: Date
    /// The SHA-256 digests of the certificates in DER, in small hexadecimal digits.
    public let fingerprints: Set<String>

    /// The type in the header of the signed text (`typ`).
    package static let type = "countersign-pins+jwt"

    private struct Claims: Codable, CompactlyWritten {
        var version: Int
        var expires: Int
        var fingerprints: [String]

        enum CodingKeys: String, CodingKey {
            case version = "ver"
            case expires = "exp"
            case fingerprints = "sha256"
        }

        func write(to json: inout CompactJSON) {
            json.add(CodingKeys.expires, expires)
            json.add(CodingKeys.fingerprints, fingerprints)
            json.add(CodingKeys.version, version)
        }
    }

    /// Reads a list.
    ///
    /// - Parameters:
    ///   - text: A compact JWS by ES256, at most 16,384 bytes.
    ///   - key: The key of the service that is built into the app.
    ///   - version: The version of the list that the app has; a list of the same version is taken again. 0 by default.
    ///   - now: The current time.
    /// - Throws: ``VerificationError``.
    public init(_ text: String, signedBy key: JSONWebKey, notOlderThan version: Int = 0, at now: Date)
        throws(VerificationError)
    {
        guard text.utf8.count <= 16_384, let parts = CompactJWS(text),
            let header = CompactJWS.Header(reading: parts.headerBytes), header.type == Self.type,
            header.algorithm == SigningAlgorithm.es256.rawValue, header.critical == nil
        else { throw .malformed }
        guard SigningAlgorithm.es256.verifies(parts.signature, over: parts.signedBytes, by: key) else {
            throw .signature
        }
        guard let claims = try? JSONDecoder().decode(Claims.self, from: Data(parts.payload)), claims.version > 0,
            (1...64).contains(claims.fingerprints.count), claims.fingerprints.allSatisfy(Self.isFingerprint)
        else { throw .malformed }
        self.version = claims.version
        expires = Date(named: claims.expires)
        fingerprints = Set(claims.fingerprints)
        guard expires > now else { throw .expired }
        guard claims.version >= version else { throw .older }
    }

    /// Whether a certificate is in the list, and the list still holds.
    ///
    /// - Parameters:
    ///   - certificate: The certificate in DER.
    ///   - now: The current time.
    public func accepts(_ certificate: [UInt8], at now: Date) -> Bool {
        now < expires && fingerprints.contains(Self.fingerprint(of: certificate))
    }

    /// Writes a list.
    ///
    /// - Parameters:
    ///   - version: The version, higher than that of all lists before.
    ///   - expires: The expiry of the list; fractions of a second are dropped.
    ///   - certificates: The certificates in DER, at most 64.
    ///   - sign: Returns the ES256 signature, 64 bytes, over the bytes that it receives.
    /// - Throws: The error of `sign`.
    public static func text(
        version: Int,
        expires: Date,
        certificates: [[UInt8]],
        signedBy sign: ([UInt8]) throws -> [UInt8]
    ) rethrows -> String {
        let claims = Claims(
            version: version,
            expires: Int(expires.timeIntervalSince1970),
            fingerprints: certificates.map(fingerprint).sorted()
        )
        return try CompactJWS.text(
            header: Array(#"{"alg":"ES256","typ":"\#(type)"}"#.utf8),
            payload: CompactJSON.bytes(of: claims),
            signedBy: sign
        )
    }

    /// The SHA-256 digest of a certificate, in small hexadecimal digits.
    ///
    /// - Parameter certificate: The certificate in DER.
    public static func fingerprint(of certificate: [UInt8]) -> String {
        HexadecimalText.encode(SHA256.hash(data: certificate))
    }

    private static func isFingerprint(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
}

/// One entry of the legacy list, which has neither version nor end.
///
/// `data` is JSON in base64, `signature` one by RSA over it. It is read so that an old service can be asked; the
/// library never accepts a certificate for it alone.
package struct LegacyPin: Sendable, Equatable, Codable {
    private struct Content: Decodable {
        let hash: String
        let algorithm: String?
    }

    /// JSON in base64, with the digest in `hash`.
    package var data: String
    /// The signature over the decoded `data`, in base64.
    package var signature: String

    /// Describes an entry.
    package init(data: String, signature: String) {
        self.data = data
        self.signature = signature
    }

    /// The digest of the certificate, if the service signed the entry; `nil` otherwise.
    package func fingerprint(signedBy key: JSONWebKey) -> String? {
        guard let bytes = Base64.decode(data[...]), let signed = Base64.decode(signature[...]),
            SigningAlgorithm.rs256.verifies(signed, over: bytes, by: key),
            let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)), !content.hash.isEmpty
        else { return nil }
        return content.hash
    }
}
