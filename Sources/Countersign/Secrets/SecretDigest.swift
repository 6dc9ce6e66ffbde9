internal import Crypto

/// The SHA-256 digest of a secret: enough to recognise the secret, useless to a thief.
///
/// The digest of a ``TimeOrderedSecret`` begins with the instant of its minting, and has fewer bits of SHA-256.
///
/// A plain digest is enough because every secret stored this way has at least 128 random bits. Passwords, which people
/// choose, are stored as a ``PasswordHash`` instead.
public struct SecretDigest: Sendable, Hashable {
    /// The 32 bytes of the digest.
    public let bytes: [UInt8]

    /// Computes the digest of a secret.
    ///
    /// - Parameter text: The secret in the clear; its UTF-8 bytes are hashed.
    public init(of text: String) {
        var text = text
        bytes = text.withUTF8 { Array(SHA256.hash(data: UnsafeRawBufferPointer($0))) }
    }

    /// Computes the digest of a secret as bytes.
    package init(of secret: [UInt8]) { bytes = Array(SHA256.hash(data: secret)) }

    /// The digest of a ``TimeOrderedSecret``: of a text that a mint made, and of a JWT whose identifier a mint made, it
    /// begins with the same instant.
    init(ofTimeOrdered text: String) {
        var text = text
        bytes = text.withUTF8 { text in
            var bytes = Array(SHA256.hash(data: UnsafeRawBufferPointer(text)))
            let instant = MintingInstant.bytes(ofSecret: text) ?? MintingInstant(ofJWT: text)?.bytes
            for (place, byte) in (instant ?? []).enumerated() { bytes[place] = byte }
            return bytes
        }
    }

    /// A digest read back from a store.
    package init(restoring bytes: [UInt8]) { self.bytes = bytes }

    /// Compares in constant time: every byte is compared whatever the first difference is.
    public static func == (left: SecretDigest, right: SecretDigest) -> Bool {
        guard left.bytes.count == right.bytes.count else { return false }
        var difference: UInt8 = 0
        for place in left.bytes.indices { difference |= left.bytes[place] ^ right.bytes[place] }
        return difference == 0
    }
}
