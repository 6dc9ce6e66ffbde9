internal import Countersign
internal import Crypto
internal import CryptoExtras
internal import FoundationEssentialsCompat

/// One key of a fake provider.
struct OpenIDSigner: Sendable {
    /// The private half.
    private enum Key: Sendable {
        case p256(P256.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)
    }

    let number: Int
    private let key: Key

    /// A key on P-256.
    init(number: Int) {
        self.number = number
        key = .p256(P256.Signing.PrivateKey())
    }

    /// An RSA key of 2,048 bits; one on P-256 where none can be made.
    init(rsa number: Int) {
        self.number = number
        key = (try? _RSA.Signing.PrivateKey(keySize: .bits2048)).map { .rsa($0) } ?? .p256(P256.Signing.PrivateKey())
    }

    init(ed25519 number: Int) {
        self.number = number
        key = .ed25519(Curve25519.Signing.PrivateKey())
    }

    /// The name of the key (`kid`).
    var id: String { "key-\(number)" }
    var algorithm: String {
        switch key {
        case .p256: "ES256"
        case .rsa: "RS256"
        case .ed25519: "EdDSA"
        }
    }

    /// The left half of the hash of an access token, for `at_hash`.
    func half(of token: String) -> String {
        let bytes = Array(token.utf8)
        guard case .ed25519 = key else { return URLSafeText.encode(Array(SHA256.hash(data: bytes).prefix(16))) }
        return URLSafeText.encode(Array(SHA512.hash(data: bytes).prefix(32)))
    }

    /// The published public half.
    var published: JSONMember {
        var members: [String: JSONMember] = ["use": "sig", "kid": .string(id), "alg": .string(algorithm)]
        switch key {
        case .p256(let key):
            let point = Array(key.publicKey.rawRepresentation)
            members["kty"] = "EC"
            members["crv"] = "P-256"
            members["x"] = .string(URLSafeText.encode(point.prefix(32)))
            members["y"] = .string(URLSafeText.encode(point.suffix(32)))
        case .rsa(let key):
            let parts = try? key.publicKey.getKeyPrimitives()
            members["kty"] = "RSA"
            members["n"] = (parts?.modulus).map { .string(URLSafeText.encode($0)) }
            members["e"] = (parts?.publicExponent).map { .string(URLSafeText.encode($0)) }
        case .ed25519(let key):
            members["kty"] = "OKP"
            members["crv"] = "Ed25519"
            members["x"] = .string(URLSafeText.encode(Array(key.publicKey.rawRepresentation)))
        }
        return .object(members)
    }

    /// A token with these claims.
    ///
    /// - Parameter named: The key that the header names; this one unless it is given.
    func token(_ claims: [String: JSONMember], named: String? = nil) -> String {
        let header: [String: JSONMember] = ["alg": .string(algorithm), "typ": "JWT", "kid": .string(named ?? id)]
        let signed = Self.joined(header, claims)
        let bytes = Data(signed.utf8)
        let signature: [UInt8]? =
            switch key {
            case .p256(let key): (try? key.signature(for: bytes)).map { Array($0.rawRepresentation) }
            case .rsa(let key):
                (try? key.signature(for: bytes, padding: .insecurePKCS1v1_5)).map { Array($0.rawRepresentation) }
            case .ed25519(let key): (try? key.signature(for: bytes)).map { Array($0) }
            }
        return "\(signed).\(URLSafeText.encode(signature ?? []))"
    }

    /// A token that claims to need no signature.
    static func unsignedToken(_ claims: [String: JSONMember]) -> String {
        joined(["alg": "none", "typ": "JWT"], claims) + "."
    }

    /// A token by HS256 whose secret is the published key.
    func tokenByPublicKey(_ claims: [String: JSONMember]) -> String {
        let signed = Self.joined(["alg": "HS256", "typ": "JWT", "kid": .string(id)], claims)
        let key = SymmetricKey(data: Array(published.text.utf8))
        return "\(signed).\(URLSafeText.encode(HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key)))"
    }

    private static func joined(_ header: [String: JSONMember], _ claims: [String: JSONMember]) -> String {
        [header, claims].map { URLSafeText.encode(Array(JSONMember.object($0).text.utf8)) }.joined(separator: ".")
    }
}
