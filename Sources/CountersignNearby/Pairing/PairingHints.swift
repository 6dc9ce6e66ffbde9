internal import Crypto
internal import FoundationEssentialsCompat

/// Eight-byte tags, new for each connection, that let a paired approver recognize the requester. Only the two can
/// compute them. Every message has eight of them, shuffled and padded with random bytes.
package struct PairingHints: Sendable {
    package static let count = 8
    private static let each = 8
    /// The length in bytes of all hints of one message.
    package static let length = count * each

    private let known: [(pairing: Pairing, key: SymmetricKey)]

    /// Prepares to find `pairings`; a pairing whose key agreement fails is never found.
    package init(for pairings: [Pairing]) {
        known = pairings.compactMap { pairing in Self.key(of: pairing).map { (pairing, $0) } }
    }

    /// The payload of a first message: a hint for each pairing, filled up with random bytes.
    ///
    /// - Parameter pairings: The pairings that may be used.
    static func written(
        for pairings: [Pairing],
        ephemeral: LinkPublicKey,
        drawingFrom random: RandomSource
    ) -> [UInt8] {
        var hints = pairings.prefix(count).compactMap { pairing in key(of: pairing).map { hint(by: $0, for: ephemeral) }
        }
        while hints.count < count { hints.append(random.bytes(each)) }
        for place in (1..<count).reversed() { hints.swapAt(place, random.uniform(below: place + 1)) }
        return hints.flatMap { $0 }
    }

    /// The pairing that one of the hints is for. All hints are compared, even after a match, so that the time reveals
    /// nothing.
    func pairing(hintedAtBy payload: [UInt8], ephemeral: LinkPublicKey) -> Pairing? {
        guard payload.count == Self.length else { return nil }
        let hints = stride(from: 0, to: Self.length, by: Self.each).map { Array(payload[$0..<$0 + Self.each]) }
        var found: Pairing?
        for (pairing, key) in known {
            let expected = Self.hint(by: key, for: ephemeral)
            for hint in hints where ConstantTime.areSame(expected, hint) { found = found ?? pairing }
        }
        return found
    }

    package static func hint(of pairing: Pairing, for ephemeral: LinkPublicKey) -> [UInt8]? {
        key(of: pairing).map { hint(by: $0, for: ephemeral) }
    }

    private static func hint(by key: SymmetricKey, for ephemeral: LinkPublicKey) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: ephemeral.bytes, using: key).prefix(each))
    }

    /// Standard: RFC 5869 (HKDF), without a salt.
    private static func key(of pairing: Pairing) -> SymmetricKey? {
        guard let shared = try? pairing.own.agreement(with: pairing.peer) else { return nil }
        return HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: shared), info: LinkDigest.Purpose.hint.tag, outputByteCount: 32)
    }
}
