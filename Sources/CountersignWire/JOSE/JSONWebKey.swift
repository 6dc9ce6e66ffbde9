/// A public key as a server publishes it, with the members that are needed to verify a signature.
///
/// Numbers are base64url without padding.
/// Standard: RFC 7517 §4, RFC 7518 §6.
public struct JSONWebKey: Sendable, Equatable, Codable {
    /// Identifies one key of a set.
    public struct ID: Identifier {
        /// The wire form of the identifier (`kid`).
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The type of the key: `EC`, `RSA` or `OKP` (`kty`).
    public var keyType: String
    /// The purpose of the key: `sig` (`use`).
    public var use: String?
    /// The signature algorithm of the key, such as `ES256` or `RS256` (`alg`).
    public var algorithm: String?
    /// The identifier of the key (`kid`).
    public var keyID: ID?
    /// The curve of an elliptic-curve key: `P-256`, or `Ed25519` for a key of the type `OKP` (`crv`).
    public var curve: String?
    /// The first coordinate of an elliptic-curve key; the whole public key of the type `OKP`.
    public var x: String?
    /// The second coordinate of an elliptic-curve key.
    public var y: String?
    /// The modulus of an RSA key (`n`).
    public var modulus: String?
    /// The public exponent of an RSA key (`e`).
    public var exponent: String?

    /// Creates an elliptic-curve key on P-256, for signatures by ES256.
    ///
    /// Standard: RFC 7518 §6.2.1.
    ///
    /// - Parameters:
    ///   - id: The identifier that token headers name.
    ///   - x: The first coordinate, 32 bytes, big-endian.
    ///   - y: The second coordinate, 32 bytes, big-endian.
    public static func p256(id: ID, x: some Sequence<UInt8>, y: some Sequence<UInt8>) -> JSONWebKey {
        var key = JSONWebKey(keyType: "EC", algorithm: "ES256", keyID: id)
        key.curve = "P-256"
        key.x = URLSafeText.encode(x)
        key.y = URLSafeText.encode(y)
        return key
    }

    /// An elliptic-curve key on P-256 that has no name and no other members.
    static func p256(x: some Sequence<UInt8>, y: some Sequence<UInt8>) -> JSONWebKey {
        var key = p256(id: ID(""), x: x, y: y)
        (key.keyID, key.use, key.algorithm) = (nil, nil, nil)
        return key
    }

    /// Creates an RSA key, for signatures by RS256.
    ///
    /// Standard: RFC 7518 §6.3.1.
    ///
    /// - Parameters:
    ///   - id: The identifier that token headers name.
    ///   - modulus: The modulus, big-endian without leading zeros.
    ///   - exponent: The public exponent, big-endian without leading zeros.
    public static func rsa(id: ID, modulus: some Sequence<UInt8>, exponent: some Sequence<UInt8>) -> JSONWebKey {
        var key = JSONWebKey(keyType: "RSA", algorithm: "RS256", keyID: id)
        key.modulus = URLSafeText.encode(modulus)
        key.exponent = URLSafeText.encode(exponent)
        return key
    }

    /// Creates a key on the curve Ed25519, for signatures by EdDSA.
    ///
    /// Standard: RFC 8037 §2.
    ///
    /// - Parameters:
    ///   - id: The identifier that token headers name.
    ///   - x: The public key, 32 bytes.
    public static func ed25519(id: ID, x: some Sequence<UInt8>) -> JSONWebKey {
        var key = JSONWebKey(keyType: "OKP", algorithm: "EdDSA", keyID: id)
        key.curve = "Ed25519"
        key.x = URLSafeText.encode(x)
        return key
    }

    /// Whether the key's type is supported and all its parameters are present.
    ///
    /// Standard: RFC 7518 §6.2.1, §6.3.1; RFC 8037 §2.
    fileprivate var isComplete: Bool {
        switch keyType {
        case "EC": curve != nil && x != nil && y != nil
        case "RSA": modulus != nil && exponent != nil
        case "OKP": curve == "Ed25519" && x != nil
        default: false
        }
    }

    /// The same key with coordinates as long as the curve's; others than those of P-256 stay as they are.
    fileprivate var withWholeCoordinates: JSONWebKey {
        guard keyType == "EC", curve == "P-256" else { return self }
        var key = self
        key.x = x.map(Self.whole)
        key.y = y.map(Self.whole)
        return key
    }

    private static func whole(_ coordinate: String) -> String {
        guard let bytes = URLSafeText.decode(coordinate), (1..<32).contains(bytes.count) else { return coordinate }
        return URLSafeText.encode(Array(repeating: 0, count: 32 - bytes.count) + bytes)
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
/// A key of an unknown type or with a malformed member is skipped; the others are used.
/// Standard: RFC 7517 §5.
public struct JSONWebKeySet: Sendable, Equatable, Codable {
    /// The keys that can be used.
    public let keys: [JSONWebKey]
    /// The same keys, ready to verify.
    let prepared: [VerificationKey]

    /// Creates a set of keys to publish.
    public init(keys: [JSONWebKey]) {
        self.keys = keys
        prepared = keys.map(VerificationKey.init)
    }

    /// Reads a set; keys that cannot be used are skipped.
    ///
    /// Coordinates whose leading zeros were omitted are completed: some servers publish one key in 128 so, against RFC
    /// 7518 §6.2.1.2.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let sent = try fields.decode([TolerantKey?].self, forKey: .keys)
        self.init(keys: sent.compactMap { $0?.key?.withWholeCoordinates }.filter(\.isComplete))
    }

    private enum CodingKeys: CodingKey { case keys }

    private struct TolerantKey: Decodable {
        let key: JSONWebKey?

        init(from decoder: any Decoder) throws { key = try? JSONWebKey(from: decoder) }
    }
}
