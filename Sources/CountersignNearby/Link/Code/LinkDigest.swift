internal import Crypto
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A SHA-256 digest of the link; what it is for is part of what is hashed, so that none can stand for another.
package struct LinkDigest: Sendable, Equatable {
    /// The number of bytes.
    package static let length = 32

    /// What a digest, or a derived key, is for.
    package enum Purpose: String, Sendable {
        /// The purposes of digests on the link; each has a tag of its own.
        case request, commit, code, typed, hint
        /// The name of a pairing.
        case pairingName = "pairing name"

        /// The words that stand before what is hashed.
        package var tag: [UInt8] { Array("Countersign nearby 1 \(rawValue)".utf8) + [0] }
    }

    /// The digest.
    package let bytes: [UInt8]

    /// The digest of parts of known lengths.
    package init(_ purpose: Purpose, _ parts: [UInt8]...) {
        self.init(of: parts.reduce(into: purpose.tag) { $0 += $1 })
    }

    /// The digest of bytes that say themselves what they are.
    package init(of bytes: [UInt8]) {
        self.bytes = Array(SHA256.hash(data: bytes))
    }

    /// A digest that the peer sent.
    package init?(received bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = Array(bytes)
    }

    /// Where a message has a place for a digest and nothing to put there.
    package static let zero = LinkDigest(zeros: length)

    /// A digest of zero bytes, which stands where there is nothing to digest.
    private init(zeros count: Int) {
        bytes = [UInt8](repeating: 0, count: count)
    }

    /// Compares in constant time.
    package static func == (left: LinkDigest, right: LinkDigest) -> Bool {
        left.bytes.isSameInConstantTime(as: right.bytes)
    }
}

extension [UInt8] {
    /// Compares every byte whatever the first difference is, so that timing tells nothing.
    func isSameInConstantTime(as other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        for place in indices { difference |= self[place] ^ other[place] }
        return difference == 0
    }
}
