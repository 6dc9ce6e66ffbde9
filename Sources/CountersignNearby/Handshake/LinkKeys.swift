internal import Crypto
internal import FoundationEssentialsCompat

/// The public half of a key pair of a link: 32 bytes, not checked yet.
///
/// Standard: RFC 7748 §5 (X25519).
package struct LinkPublicKey: Sendable, Hashable {
    /// The number of bytes of a public key.
    package static let length = 32

    /// The public key, in its wire form.
    package let bytes: [UInt8]

    /// Takes over 32 bytes; `nil` for any other number.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = Array(bytes)
    }
}

/// A key pair for one handshake, or for one pairing.
///
/// Standard: RFC 7748 §6.1.
package struct LinkKeyPair: Sendable, Redacted {
    private let secret: Curve25519.KeyAgreement.PrivateKey
    package let publicKey: LinkPublicKey

    package init(drawingFrom random: RandomSource) {
        guard let pair = LinkKeyPair(secret: random.bytes(LinkPublicKey.length)) else {
            preconditionFailure("any 32 bytes make a key")
        }
        self = pair
    }

    /// A stored pair; `nil` unless there are 32 bytes.
    package init?(secret bytes: [UInt8]) {
        guard let secret = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes),
            let publicKey = LinkPublicKey([UInt8](secret.publicKey.rawRepresentation))
        else { return nil }
        self.secret = secret
        self.publicKey = publicKey
    }

    /// The shared secret of this key and the peer's public key.
    ///
    /// - Throws: ``HandshakeError`` `lowOrderKey` when all bits of it are zero: then it depends on neither secret.
    package func agreement(with peer: LinkPublicKey) throws(HandshakeError) -> [UInt8] {
        guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: peer.bytes),
            let shared = try? secret.sharedSecretFromKeyAgreement(with: key)
        else { throw .lowOrderKey }
        let bytes = shared.withUnsafeBytes { Array($0) }
        // All bytes are combined, so that the time does not depend on them.
        guard bytes.reduce(0, |) != 0 else { throw .lowOrderKey }
        return bytes
    }

    /// The secret half, for storing pairings.
    package var revealedSecret: [UInt8] { Array(secret.rawRepresentation) }
}
