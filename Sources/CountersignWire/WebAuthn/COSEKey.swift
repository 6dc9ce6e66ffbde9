internal import Crypto
internal import FoundationEssentialsCompat

/// The algorithms that a passkey may sign with.
///
/// Standard: RFC 9053 §2.1, §2.2, RFC 8812 §2.
public enum COSEAlgorithm: Int, Sendable, Hashable, Codable, CaseIterable {
    /// ECDSA on P-256 with SHA-256.
    case es256 = -7
    /// EdDSA; only the curve Ed25519 is accepted.
    case edDSA = -8
    /// RSASSA-PKCS1-v1_5 with SHA-256, which some platform authenticators still need.
    case rs256 = -257
}

/// The public key of a passkey.
///
/// Standard: RFC 9052 §7, RFC 9053 §7.1, §7.2, RFC 8230 §4; Web Authentication Level 3 §6.5.1.1.
public struct COSEKey: Sendable, Equatable {
    /// The signature algorithm of the key.
    public let algorithm: COSEAlgorithm
    /// The key as its authenticator wrote it.
    public let bytes: [UInt8]
    private let key: JSONWebKey

    /// Reads a key.
    ///
    /// - Throws: ``PasskeyError`` `unsupportedKey` unless it is an ES256 key on P-256, an EdDSA key on Ed25519, or an
    ///   RS256 key of 2048 to 4096 bits.
    public init(parsing bytes: [UInt8]) throws(PasskeyError) {
        let value: CBORValue
        do throws(CBORError) {
            value = try CBORReader.value(of: bytes)
        } catch {
            throw PasskeyError(.unsupportedKey, because: "the key is no CBOR: \(error)")
        }
        try self.init(value, bytes: bytes)
    }

    init(_ value: CBORValue, bytes: [UInt8]) throws(PasskeyError) {
        guard let members = value.members,
            let algorithm = value[.number(3)]?.number.flatMap(COSEAlgorithm.init(rawValue:))
        else { throw PasskeyError(.unsupportedKey, because: "the key is for another algorithm") }
        let key =
            switch algorithm {
            case .es256: members.count == 5 ? Self.es256(value) : nil
            case .edDSA: members.count == 4 ? Self.ed25519(value) : nil
            case .rs256: members.count == 4 ? Self.rs256(value) : nil
            }
        guard let key else { throw PasskeyError(.unsupportedKey, because: "no usable key for \(algorithm)") }
        self.algorithm = algorithm
        self.bytes = bytes
        self.key = key
    }

    /// A key with uncompressed coordinates of a point on the curve.
    private static func es256(_ value: CBORValue) -> JSONWebKey? {
        guard value[.number(1)] == .number(2), value[.number(-1)] == .number(1),
            let x = value[.number(-2)]?.bytes, x.count == 32, let y = value[.number(-3)]?.bytes, y.count == 32,
            (try? P256.Signing.PublicKey(rawRepresentation: x + y)) != nil
        else { return nil }
        return JSONWebKey.p256(x: x, y: y)
    }

    private static func ed25519(_ value: CBORValue) -> JSONWebKey? {
        guard value[.number(1)] == .number(1), value[.number(-1)] == .number(6),
            let x = value[.number(-2)]?.bytes, x.count == 32,
            (try? Curve25519.Signing.PublicKey(rawRepresentation: x)) != nil
        else { return nil }
        return JSONWebKey.ed25519(id: JSONWebKey.ID(""), x: x)
    }

    private static func rs256(_ value: CBORValue) -> JSONWebKey? {
        guard value[.number(1)] == .number(3),
            let modulus = value[.number(-1)]?.bytes, (256...512).contains(modulus.count),
            let first = modulus.first, first >= 0x80 || (first > 0 && modulus.count > 256),
            let exponent = value[.number(-2)]?.bytes, (1...8).contains(exponent.count), exponent.first != 0,
            let last = exponent.last, last & 1 == 1, exponent != [1]
        else { return nil }
        let key = JSONWebKey.rsa(id: JSONWebKey.ID(""), modulus: modulus, exponent: exponent)
        return SigningAlgorithm.rsaKey(key) == nil ? nil : key
    }

    /// Whether `signature` over `message` was made with the private half of the key.
    ///
    /// Standard: Web Authentication Level 3 §6.5.5: signatures by ES256 are in DER.
    func verifies(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        switch algorithm {
        case .es256:
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return SigningAlgorithm.es256.verifies(Array(signature.rawRepresentation), over: message, by: key)
        case .edDSA: return SigningAlgorithm.edDSA.verifies(signature, over: message, by: key)
        case .rs256: return SigningAlgorithm.rs256.verifies(signature, over: message, by: key)
        }
    }
}
