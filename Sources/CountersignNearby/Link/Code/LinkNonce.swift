/// 32 random bytes that one end keeps secret until the protocol reveals them.
package struct LinkNonce: Sendable, Equatable, Redacted {
    package static let length = 32

    /// The bytes, for the message that reveals them.
    package let revealed: [UInt8]

    package init(drawingFrom random: RandomSource) { revealed = random.bytes(Self.length) }

    /// A nonce that the peer sent.
    package init?(received bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        revealed = Array(bytes)
    }

    /// Compares in constant time.
    package static func == (left: LinkNonce, right: LinkNonce) -> Bool {
        ConstantTime.areSame(left.revealed, right.revealed)
    }
}
