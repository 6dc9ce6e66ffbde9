/// The reason for the end of a handshake. The peer learns none of these: its connection is closed.
package enum HandshakeError: Error, Equatable, Sendable {
    /// The bytes are not a frame of this handshake.
    case malformed
    /// A key that makes every agreement have the same result.
    case lowOrderKey
    /// The peer shows this side's own key.
    case ownKey
    /// Decryption failed: other keys, another app, another offer, or changed bytes.
    case notAuthentic
    /// The peer showed another key than that of the pairing.
    case notThePinnedKey
    /// The peer chose another version of the link than the highest that both know.
    case version
}
