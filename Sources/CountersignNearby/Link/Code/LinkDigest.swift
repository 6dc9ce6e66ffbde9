internal import Crypto
internal import FoundationEssentialsCompat

/// A SHA-256 digest of the link. Its purpose is part of the hashed data, so that one digest cannot be used as another.
package struct LinkDigest: Sendable, Equatable {
    package static let length = 32

    /// The purpose of a digest, or of a derived key.
    package enum Purpose: String, Sendable {
        /// The purposes of digests on the link; each has its own tag.
        case request, commit, code, typed, hint
        case pairingName = "pairing name"

        /// The prefix of the hashed data.
        package var tag: [UInt8] { Array("Countersign nearby 1 \(rawValue)".utf8) + [0] }
    }

    package let bytes: [UInt8]

    /// The digest of parts of known lengths.
    package init(_ purpose: Purpose, _ parts: [UInt8]...) {
        self.init(of: parts.reduce(into: purpose.tag) { $0 += $1 })
    }

    /// The digest of bytes that begin with their own type.
    package init(of bytes: [UInt8]) { self.bytes = Array(SHA256.hash(data: bytes)) }

    /// A digest that the peer sent.
    package init?(received bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = Array(bytes)
    }

    /// The digest in a message that has nothing to digest.
    package static let zero = LinkDigest(zeros: length)

    /// A digest whose bytes are all zero.
    private init(zeros count: Int) { bytes = [UInt8](repeating: 0, count: count) }

    /// Compares in constant time.
    package static func == (left: LinkDigest, right: LinkDigest) -> Bool {
        ConstantTime.areSame(left.bytes, right.bytes)
    }
}
