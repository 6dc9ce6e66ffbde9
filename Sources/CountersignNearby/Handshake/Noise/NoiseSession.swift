/// The encrypted session after a handshake.
package struct NoiseSession: Sendable {
    /// The hash of the handshake: unique, and no secret.
    package let hash: NearbyLinkID
    /// The static key of the peer, which it has proved to hold.
    package let peer: LinkPublicKey
    /// Seals messages of this end.
    private var sending: CipherState
    /// Opens messages of the peer.
    private var receiving: CipherState

    /// A session whose handshake is complete.
    init(hash: [UInt8], peer: LinkPublicKey, sending: CipherState, receiving: CipherState) {
        self.hash = NearbyLinkID(restoring: hash)
        self.peer = peer
        self.sending = sending
        self.receiving = receiving
    }

    /// Seals a message; each call uses the next nonce.
    ///
    /// - Throws: ``HandshakeError`` when the message is too long or the nonces are used up.
    package mutating func seal(_ plaintext: [UInt8]) throws(HandshakeError) -> [UInt8] { try sending.seal(plaintext) }

    /// Opens a message; messages must be opened in the order of their sealing.
    ///
    /// - Throws: ``HandshakeError`` when it was changed or repeated, or one before it is missing.
    package mutating func open(_ sealed: [UInt8]) throws(HandshakeError) -> [UInt8] { try receiving.open(sealed) }
}
