/// Why a handshake ended. The peer learns none of these: its connection is closed.
package enum HandshakeFailure: Error, Equatable, Sendable {
    /// Bytes that are no frame of this handshake.
    case malformed
    /// A key with which every agreement has the same result.
    case lowOrderKey
    /// The peer shows this side's own key.
    case ownKey
    /// What was sealed does not open: other keys, another app, another offer, or changed bytes.
    case notAuthentic
    /// The peer took a key of a pairing that is not its own.
    case notThePinnedKey
    /// The peer wants another version of the link than the highest that both know.
    case version
}
