internal import Crypto
internal import CryptoExtras
internal import FoundationEssentialsCompat

/// The way a request of OAuth 1 proves its sender (`oauth_signature_method`).
///
/// RFC 5849 defines HMAC-SHA1, RSA-SHA1 and PLAINTEXT; the methods by SHA-256 follow the same rules with the stronger
/// digest, as providers offer them.
///
/// Standard: RFC 5849 §3.4.2 to §3.4.4.
public enum OAuth1SignatureMethod: String, Sendable, Hashable, CaseIterable {
    /// A keyed digest by SHA-1, with both shared secrets as the key.
    case hmacSHA1 = "HMAC-SHA1"
    /// A keyed digest by SHA-256, with both shared secrets as the key.
    case hmacSHA256 = "HMAC-SHA256"
    /// A signature by the client's RSA key over SHA-1.
    case rsaSHA1 = "RSA-SHA1"
    /// A signature by the client's RSA key over SHA-256.
    case rsaSHA256 = "RSA-SHA256"
    /// Both shared secrets themselves; over https only.
    case plaintext = "PLAINTEXT"

    /// Whether the client signs by an RSA key, and not by shared secrets.
    var usesKeyPair: Bool { self == .rsaSHA1 || self == .rsaSHA256 }
}

/// The private RSA key that signs a client's requests of OAuth 1.
///
/// Standard: RFC 5849 §3.4.3.
public struct OAuth1SigningKey: Sendable, Redacted {
    private let key: _RSA.Signing.PrivateKey

    /// Reads a key.
    ///
    /// - Parameter pem: The key as PEM (PKCS #1 or PKCS #8), of 2,048 bits or more; `nil` is returned for anything
    ///   else.
    public init?(pem: String) {
        guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem) else { return nil }
        self.init(key)
    }

    /// A key of any size, for published examples that are signed by short ones.
    init(_ key: _RSA.Signing.PrivateKey) { self.key = key }

    /// The signature over `bytes`, as RSASSA-PKCS1-v1_5.
    func signature(over bytes: [UInt8], by method: OAuth1SignatureMethod) -> [UInt8]? {
        let made =
            method == .rsaSHA1
            ? try? key.signature(for: Insecure.SHA1.hash(data: bytes), padding: .insecurePKCS1v1_5)
            : try? key.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5)
        return made.map { Array($0.rawRepresentation) }
    }
}

extension OAuth1SignatureMethod {
    /// The key of the methods by shared secrets: both, encoded, with `&` between.
    static func sharedKey(_ client: OAuth1Secret, _ token: OAuth1Secret?) -> [UInt8] {
        var key = OAuth1Encoding.bytes(of: client.revealed)
        key.append(UInt8(ascii: "&"))
        if let token { OAuth1Encoding.append(token.revealed, to: &key) }
        return key
    }

    /// The keyed digest over `bytes`; `nil` for methods of another kind.
    func digest(over bytes: [UInt8], by key: [UInt8]) -> [UInt8]? {
        let key = SymmetricKey(data: key)
        switch self {
        case .hmacSHA1: return Array(HMAC<Insecure.SHA1>.authenticationCode(for: bytes, using: key))
        case .hmacSHA256: return Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
        case .rsaSHA1, .rsaSHA256, .plaintext: return nil
        }
    }

    /// Whether `signature` over `bytes` was made with the private half of `key`.
    package func verifies(_ signature: [UInt8], over bytes: [UInt8], by key: VerificationKey) -> Bool {
        guard let publicKey = key.rsa else { return false }
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        switch self {
        case .rsaSHA1:
            let digest = Insecure.SHA1.hash(data: bytes)
            return publicKey.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
        case .rsaSHA256:
            let digest = SHA256.hash(data: bytes)
            return publicKey.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
        case .hmacSHA1, .hmacSHA256, .plaintext: return false
        }
    }
}
