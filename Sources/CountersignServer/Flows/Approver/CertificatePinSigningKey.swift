internal import Countersign
public import CountersignWire
internal import Crypto
public import FoundationEssentialsCompat

/// The key of an operator that signs the list of certificates that apps accept; its public half is built into them.
public struct CertificatePinSigningKey: Sendable {
    private let key: P256.Signing.PrivateKey

    /// The text is no private key on P-256.
    public struct UnusableKeyError: Error, Sendable {}

    /// Reads a private key.
    ///
    /// - Parameter pem: A private key on P-256, as PEM without a passphrase.
    /// - Throws: ``UnusableKeyError``.
    public init(pem: String) throws(UnusableKeyError) {
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else { throw UnusableKeyError() }
        self.key = key
    }

    /// The public half, which lets apps verify lists.
    public var publicKey: JSONWebKey {
        let raw = Array(key.publicKey.rawRepresentation)
        return .p256(id: JSONWebKey.ID("pins"), x: raw.prefix(32), y: raw.suffix(32))
    }

    /// Signs a list.
    ///
    /// - Parameters:
    ///   - certificates: The certificates in DER, at most 64.
    ///   - version: The version, higher than that of all lists before.
    ///   - end: The expiry of the list; fractions of a second are dropped.
    /// - Throws: `CryptoKitError`, which does not happen with a key in memory.
    public func list(of certificates: [[UInt8]], version: Int, until end: Date) throws -> String {
        try PinnedCertificates.text(version: version, expires: end, certificates: certificates) { bytes in
            Array(try key.signature(for: Data(bytes)).rawRepresentation)
        }
    }
}
