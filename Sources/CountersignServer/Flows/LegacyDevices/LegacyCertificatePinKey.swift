internal import CountersignWire
internal import Crypto
internal import CryptoExtras
internal import FoundationEssentialsCompat

/// The RSA key that signs the list of pinned certificates for apps of the older dialect; its public half is built into
/// them.
public struct LegacyCertificatePinKey: Sendable {
    private let key: SigningKey

    /// The text is no RSA key that may sign.
    public struct UnusableKeyError: Error, Sendable {}

    /// Reads a private key.
    ///
    /// - Parameter pem: A private RSA key of at least 2048 bits, as PEM without a passphrase.
    /// - Throws: ``UnusableKeyError``.
    public init(pem: String) throws(UnusableKeyError) {
        guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem), key.keySizeInBits >= 2048 else {
            throw UnusableKeyError()
        }
        self.key = .rs256(key)
    }

    /// The content of an entry: the digest of the certificate in hexadecimal for apps of Apple's makes; that of its key
    /// for Android's, which hand it to OkHttp as `sha256/…` and so need it in Base64.
    private struct Content: Encodable {
        let algorithm = "sha256"
        let hash: String
        let keyHash: String

        enum CodingKeys: String, CodingKey {
            case algorithm, hash
            case keyHash = "spki_hash"
        }
    }

    /// The signed entry for a certificate.
    ///
    /// - Parameters:
    ///   - certificate: The certificate in DER.
    ///   - publicKey: Its public key, as SubjectPublicKeyInfo in DER.
    func pin(for certificate: [UInt8], holding publicKey: [UInt8]) throws -> LegacyPin {
        let content = Content(
            hash: PinnedCertificates.fingerprint(of: certificate),
            keyHash: Base64.encode(Array(SHA256.hash(data: publicKey)))
        )
        let bytes = Array(try JSONEncoder.wire.encode(content))
        return LegacyPin(data: Base64.encode(bytes), signature: Base64.encode(try key.signature(over: bytes)))
    }
}

/// The operator's decisions about the device API of the older dialect.
public struct LegacyAuthenticator: Sendable {
    /// The key that signs the list of pinned certificates; without one the list is empty.
    public var pinKey: LegacyCertificatePinKey?

    /// Creates settings.
    public init(pinKey: LegacyCertificatePinKey? = nil) {
        self.pinKey = pinKey
    }
}
