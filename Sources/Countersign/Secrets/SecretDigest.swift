internal import Crypto

/// The SHA-256 digest of a secret: enough to recognise it, useless to whoever steals it.
///
/// A plain digest suffices because every secret stored this way has at least 128 random bits. Passwords, which
/// people choose, are stored by a slow hash instead.
public struct SecretDigest: Sendable, Hashable {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// The digest of a secret's text.
    public init(of text: String) {
        var text = text
        bytes = text.withUTF8 { Array(SHA256.hash(data: UnsafeRawBufferPointer($0))) }
    }

    /// A digest read back from a store.
    package init(restoring bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Compares every byte whatever the first difference is, so that timing tells nothing.
    public static func == (left: SecretDigest, right: SecretDigest) -> Bool {
        guard left.bytes.count == right.bytes.count else { return false }
        var difference: UInt8 = 0
        for place in left.bytes.indices { difference |= left.bytes[place] ^ right.bytes[place] }
        return difference == 0
    }
}
