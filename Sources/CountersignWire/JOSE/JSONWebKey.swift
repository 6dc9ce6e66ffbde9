public import Countersign

/// A public key as a server publishes it.
///
/// Only the members that are needed to check a signature. Numbers are base64url without padding.
/// Standard: RFC 7517 §4, RFC 7518 §6.
public struct JSONWebKey: Sendable, Equatable, Codable {
    /// Names one key of a set.
    public struct ID: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public var keyType: String
    public var use: String?
    public var algorithm: String?
    public var keyID: ID?
    public var curve: String?
    public var x: String?
    public var y: String?
    public var modulus: String?
    public var exponent: String?

    /// An elliptic-curve key on P-256, for signatures by ES256; each coordinate has 32 bytes.
    public static func p256(id: ID, x: some Sequence<UInt8>, y: some Sequence<UInt8>) -> JSONWebKey {
        var key = JSONWebKey(keyType: "EC", algorithm: "ES256", keyID: id)
        key.curve = "P-256"
        key.x = URLSafeText.encode(x)
        key.y = URLSafeText.encode(y)
        return key
    }

    /// An RSA key, for signatures by RS256; both numbers big-endian without leading zeros.
    public static func rsa(id: ID, modulus: some Sequence<UInt8>, exponent: some Sequence<UInt8>) -> JSONWebKey {
        var key = JSONWebKey(keyType: "RSA", algorithm: "RS256", keyID: id)
        key.modulus = URLSafeText.encode(modulus)
        key.exponent = URLSafeText.encode(exponent)
        return key
    }

    /// Whether it is of a type that is known here, with every number of that type.
    ///
    /// Standard: RFC 7518 §6.2.1, §6.3.1.
    fileprivate var isComplete: Bool {
        switch keyType {
        case "EC": curve != nil && x != nil && y != nil
        case "RSA": modulus != nil && exponent != nil
        default: false
        }
    }

    private init(keyType: String, algorithm: String, keyID: ID) {
        self.keyType = keyType
        self.use = "sig"
        self.algorithm = algorithm
        self.keyID = keyID
    }

    enum CodingKeys: String, CodingKey {
        case keyType = "kty"
        case use
        case algorithm = "alg"
        case keyID = "kid"
        case curve = "crv"
        case x, y
        case modulus = "n"
        case exponent = "e"
    }
}

/// The public keys of a server.
///
/// Standard: RFC 7517 §5. A key of an unknown type or with a broken member is passed over, the others count.
public struct JSONWebKeySet: Sendable, Equatable, Codable {
    public let keys: [JSONWebKey]

    public init(keys: [JSONWebKey]) {
        self.keys = keys
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        keys = try fields.decode([Tolerated?].self, forKey: .keys).compactMap { $0?.key }.filter(\.isComplete)
    }

    private struct Tolerated: Decodable {
        let key: JSONWebKey?

        init(from decoder: any Decoder) throws {
            key = try? JSONWebKey(from: decoder)
        }
    }
}
