internal import Countersign
internal import Crypto
internal import CryptoExtras
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The signature algorithms that are accepted: all use a key pair, and are considered strong today.
///
/// Those of clients and of DPoP proofs are listed where these are read; the others are accepted of issuers alone.
/// Standard: RFC 7518 §3.3 to §3.5; RFC 8037 §3.1; RFC 9864 §2.2.
package enum SigningAlgorithm: String, Sendable, CaseIterable {
    case es256 = "ES256"
    case ps256 = "PS256"
    case rs256 = "RS256"
    /// EdDSA, of which only the curve Ed25519 is accepted.
    case edDSA = "EdDSA"
    /// The same by the name that says the curve.
    case ed25519 = "Ed25519"

    /// The type of key that goes with the algorithm. Standard: RFC 7518 §6.1.
    package var keyType: String {
        switch self {
        case .es256: "EC"
        case .ps256, .rs256: "RSA"
        case .edDSA, .ed25519: "OKP"
        }
    }

    /// The left half of the hash of `text`, as ID tokens have it of what came with them. The hash is the one that the
    /// algorithm uses itself.
    ///
    /// Standard: OpenID Connect Core 1.0 §3.1.3.6; RFC 8032 §5.1 (SHA-512).
    package func halfHash(of text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return switch self {
        case .es256, .ps256, .rs256: Array(SHA256.hash(data: bytes).prefix(16))
        case .edDSA, .ed25519: Array(SHA512.hash(data: bytes).prefix(32))
        }
    }

    /// Whether `signature` over `bytes` was made with the private half of `key`.
    package func verifies(_ signature: [UInt8], over bytes: [UInt8], by key: JSONWebKey) -> Bool {
        switch self {
        case .es256: Self.verifyES256(signature, over: bytes, by: key)
        case .ps256: Self.verifyRSA(signature, over: bytes, by: key, padding: .PSS)
        case .rs256: Self.verifyRSA(signature, over: bytes, by: key, padding: .insecurePKCS1v1_5)
        case .edDSA, .ed25519: Self.verifyEd25519(signature, over: bytes, by: key)
        }
    }

    private static func verifyES256(_ signature: [UInt8], over bytes: [UInt8], by key: JSONWebKey) -> Bool {
        guard key.curve == "P-256", let x = key.x.flatMap(URLSafeText.decode), x.count == 32,
            let y = key.y.flatMap(URLSafeText.decode), y.count == 32,
            let publicKey = try? P256.Signing.PublicKey(rawRepresentation: x + y),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return publicKey.isValidSignature(signature, for: Data(bytes))
    }

    private static func verifyEd25519(_ signature: [UInt8], over bytes: [UInt8], by key: JSONWebKey) -> Bool {
        guard key.curve == "Ed25519", let x = key.x.flatMap(URLSafeText.decode), x.count == 32, signature.count == 64,
            let publicKey = try? Curve25519.Signing.PublicKey(rawRepresentation: x)
        else { return false }
        return publicKey.isValidSignature(signature, for: Data(bytes))
    }

    private static func verifyRSA(
        _ signature: [UInt8],
        over bytes: [UInt8],
        by key: JSONWebKey,
        padding: _RSA.Signing.Padding
    ) -> Bool {
        guard let publicKey = rsaKey(key) else { return false }
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        return publicKey.isValidSignature(signature, for: Data(bytes), padding: padding)
    }

    /// The RSA key that verifies signatures; `nil` for keys of other kinds or sizes.
    static func rsaKey(_ key: JSONWebKey) -> _RSA.Signing.PublicKey? {
        // The library refuses a modulus below 2048 bits by itself; the upper bound keeps the effort small.
        guard let modulus = key.modulus.flatMap(URLSafeText.decode), (256...1024).contains(modulus.count),
            let exponent = key.exponent.flatMap(URLSafeText.decode), (1...8).contains(exponent.count)
        else { return nil }
        return try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
    }
}

extension JSONWebKeySet {
    /// Returns the key with which a signature of this kind is verified.
    ///
    /// Without a name it must be the only one that fits. A key for another use than signing does not fit.
    /// Standard: OpenID Connect Core 1.0 §10.1, RFC 7517 §4.2.
    package func key(for algorithm: SigningAlgorithm, named id: JSONWebKey.ID?) -> JSONWebKey? {
        let fitting = keys.filter { key in
            key.keyType == algorithm.keyType && (key.use ?? "sig") == "sig"
                && (key.algorithm ?? algorithm.rawValue) == algorithm.rawValue
                && (id == nil || key.keyID == id)
        }
        return fitting.count == 1 ? fitting.first : nil
    }
}
