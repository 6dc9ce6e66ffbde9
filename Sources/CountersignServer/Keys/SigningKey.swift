internal import Crypto
internal import CryptoExtras
internal import FoundationEssentialsCompat

/// A private key that signs tokens.
enum SigningKey: Sendable {
    case es256(P256.Signing.PrivateKey)
    case rs256(_RSA.Signing.PrivateKey)

    /// The algorithm of a token's signature. Standard: RFC 7518 §3.1.
    enum Algorithm: String, Sendable, CaseIterable {
        case es256 = "ES256"
        case rs256 = "RS256"

        /// The purpose of such keys in the store.
        var purpose: ServerKey.Purpose {
            switch self {
            case .es256: .signES256
            case .rs256: .signRS256
            }
        }

        /// The algorithm of a purpose; `nil` for keys that do not sign.
        init?(of purpose: ServerKey.Purpose) {
            guard let algorithm = Self.allCases.first(where: { $0.purpose == purpose }) else { return nil }
            self = algorithm
        }
    }

    /// Generates a key; RS256 has 2048 bits and takes a tenth of a second or more.
    static func generate(_ algorithm: Algorithm) throws -> SigningKey {
        switch algorithm {
        case .es256: .es256(P256.Signing.PrivateKey())
        case .rs256: .rs256(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        }
    }

    /// Restores a stored key.
    init(restoring bytes: [UInt8], for algorithm: Algorithm) throws {
        switch algorithm {
        case .es256: self = .es256(try P256.Signing.PrivateKey(rawRepresentation: bytes))
        case .rs256: self = .rs256(try _RSA.Signing.PrivateKey(derRepresentation: bytes))
        }
    }

    /// The bytes for a store.
    var secretBytes: [UInt8] {
        switch self {
        case .es256(let key): Array(key.rawRepresentation)
        case .rs256(let key): Array(key.derRepresentation)
        }
    }

    var algorithm: Algorithm {
        switch self {
        case .es256: .es256
        case .rs256: .rs256
        }
    }

    /// The signature over `bytes`, in the form that JWS wants.
    ///
    /// Standard: RFC 7518 §3.3 (RS256), §3.4 (ES256: both numbers, 32 bytes each).
    func signature(over bytes: [UInt8]) throws -> [UInt8] {
        switch self {
        case .es256(let key): Array(try key.signature(for: bytes).rawRepresentation)
        case .rs256(let key): Array(try key.signature(for: bytes, padding: .insecurePKCS1v1_5).rawRepresentation)
        }
    }

    /// The `typ` of a signed token.
    enum TokenType: String, Sendable {
        /// Standard: RFC 9068 §2.1.
        case accessToken = "at+jwt"
        /// Standard: OpenID Connect Core 1.0 §2.
        case idToken = "JWT"
        /// Standard: OpenID Connect Back-Channel Logout 1.0 §2.4.
        case logoutToken = "logout+jwt"
    }

    /// The JSON header of tokens of this key, which is published under `id`.
    ///
    /// Standard: RFC 7515 §4.1.
    func header(_ type: TokenType, id: JSONWebKey.ID) -> [UInt8] {
        CompactJSON.bytes(of: CompactJWS.Header(algorithm: algorithm.rawValue, keyID: id, type: type.rawValue))
    }

    /// The public half, for publication under `id`.
    func publicKey(id: JSONWebKey.ID) throws -> JSONWebKey {
        switch self {
        case .es256(let key):
            let point = Array(key.publicKey.rawRepresentation)
            return .p256(id: id, x: point.prefix(32), y: point.suffix(32))
        case .rs256(let key):
            let numbers = try key.publicKey.getKeyPrimitives()
            return .rsa(
                id: id,
                modulus: numbers.modulus.drop { $0 == 0 },
                exponent: numbers.publicExponent.drop { $0 == 0 }
            )
        }
    }
}
