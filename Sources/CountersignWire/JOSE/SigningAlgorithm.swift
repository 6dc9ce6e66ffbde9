internal import Crypto
internal import CryptoExtras

/// The signature algorithms that are accepted: all use a key pair, and are considered strong today.
///
/// Those of clients and of DPoP proofs are listed where these are read; the others are accepted of issuers alone.
/// Standard: RFC 7518 §3.3 to §3.5; RFC 8037 §3.1; RFC 9864 §2.2.
package enum SigningAlgorithm: String, Sendable, CaseIterable {
    case es256 = "ES256"
    case ps256 = "PS256"
    case rs256 = "RS256"
    /// EdDSA; only the curve Ed25519 is accepted.
    case edDSA = "EdDSA"
    /// The same by the name that includes the curve.
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
        verifies(signature, over: bytes, by: VerificationKey(key))
    }

    /// Whether `signature` over `bytes` was made with the private half of `key`.
    package func verifies(_ signature: [UInt8], over bytes: [UInt8], by key: VerificationKey) -> Bool {
        switch self {
        case .es256:
            guard let key = key.p256, let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: SHA256.hash(data: bytes))
        case .ps256: return verifiesRSA(signature, over: bytes, by: key, padding: .PSS)
        case .rs256: return verifiesRSA(signature, over: bytes, by: key, padding: .insecurePKCS1v1_5)
        case .edDSA, .ed25519:
            guard let key = key.ed25519, signature.count == 64 else { return false }
            return key.isValidSignature(signature, for: bytes)
        }
    }

    private func verifiesRSA(
        _ signature: [UInt8],
        over bytes: [UInt8],
        by key: VerificationKey,
        padding: _RSA.Signing.Padding
    ) -> Bool {
        guard let key = key.rsa else { return false }
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        return key.isValidSignature(signature, for: SHA256.hash(data: bytes), padding: padding)
    }

    /// The key on P-256 that verifies signatures; `nil` for keys of other kinds.
    static func p256Key(_ key: JSONWebKey) -> P256.Signing.PublicKey? {
        guard key.curve == "P-256", let x = key.x.flatMap(URLSafeText.decode), x.count == 32,
            let y = key.y.flatMap(URLSafeText.decode), y.count == 32
        else { return nil }
        return try? P256.Signing.PublicKey(rawRepresentation: x + y)
    }

    /// The key on Ed25519 that verifies signatures; `nil` for keys of other kinds.
    static func ed25519Key(_ key: JSONWebKey) -> Curve25519.Signing.PublicKey? {
        guard key.curve == "Ed25519", let x = key.x.flatMap(URLSafeText.decode), x.count == 32 else { return nil }
        return try? Curve25519.Signing.PublicKey(rawRepresentation: x)
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
    /// Returns the key that verifies a signature of this kind.
    ///
    /// Without a name it must be the only one that fits. A key for another use than signing does not fit.
    /// Standard: OpenID Connect Core 1.0 §10.1, RFC 7517 §4.2.
    package func key(for algorithm: SigningAlgorithm, named id: JSONWebKey.ID?) -> VerificationKey? {
        var found: VerificationKey?
        for key in prepared where (id == nil || key.published.keyID == id) && Self.fits(key.published, algorithm) {
            guard found == nil else { return nil }
            found = key
        }
        return found
    }

    /// The usable verification keys: with a valid or no `kid`, an accepted algorithm, and valid key parameters.
    package var usableKeys: [JSONWebKey] {
        prepared.filter { key in
            key.isKey
                && SigningAlgorithm.allCases.contains { self.key(for: $0, named: key.published.keyID) === key }
        }
        .map(\.published)
    }

    private static func fits(_ key: JSONWebKey, _ algorithm: SigningAlgorithm) -> Bool {
        key.keyType == algorithm.keyType && (key.use ?? "sig") == "sig"
            && (key.algorithm ?? algorithm.rawValue) == algorithm.rawValue
    }
}
