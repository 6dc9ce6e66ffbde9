internal import Crypto
internal import CryptoExtras

/// A published key that is ready to verify signatures: its numbers were decoded once. It never changes, and is shared
/// rather than copied, since it has many parts.
package final class VerificationKey: Sendable, Equatable {
    private enum Material: Sendable {
        case p256(P256.Signing.PublicKey)
        case rsa(_RSA.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
        /// Numbers that are no key: no signature is good.
        case none
    }

    package let published: JSONWebKey
    private let prepared: Material

    /// Prepares a key. One with numbers that are no key, or of a size that is not accepted, verifies nothing.
    package init(_ published: JSONWebKey) {
        self.published = published
        prepared =
            switch published.keyType {
            case "EC": SigningAlgorithm.p256Key(published).map(Material.p256) ?? .none
            case "RSA": SigningAlgorithm.rsaKey(published).map(Material.rsa) ?? .none
            case "OKP": SigningAlgorithm.ed25519Key(published).map(Material.ed25519) ?? .none
            default: .none
            }
    }

    /// The type of the key (`kty`).
    package var keyType: String { published.keyType }

    /// Whether its parameters are a key that can verify signatures.
    var isKey: Bool {
        if case .none = prepared { false } else { true }
    }

    /// The key on P-256; `nil` for others.
    var p256: P256.Signing.PublicKey? {
        if case .p256(let key) = prepared { key } else { nil }
    }

    /// The RSA key; `nil` for others.
    var rsa: _RSA.Signing.PublicKey? {
        if case .rsa(let key) = prepared { key } else { nil }
    }

    /// The key on Ed25519; `nil` for others.
    var ed25519: Curve25519.Signing.PublicKey? {
        if case .ed25519(let key) = prepared { key } else { nil }
    }

    /// Two keys are the same when they are published alike.
    package static func == (left: VerificationKey, right: VerificationKey) -> Bool { left.published == right.published }
}
