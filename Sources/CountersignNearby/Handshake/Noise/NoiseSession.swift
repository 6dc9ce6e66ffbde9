package import Countersign

/// The sealed conversation that a handshake led to.
package struct NoiseSession: Sendable {
    /// What the handshake was: unlike any other, and no secret.
    package let hash: NearbyLinkID
    /// The key that the other end has shown to hold.
    package let peer: LinkPublicKey
    /// Seals what this end says.
    private var sending: CipherState
    /// Opens what the other end says.
    private var receiving: CipherState

    /// A session whose handshake is over.
    ///
    /// - Parameters:
    ///   - hash: The hash of the handshake.
    ///   - peer: The static key of the other end.
    ///   - sending: Seals what this end says.
    ///   - receiving: Opens what the other end says.
    init(hash: [UInt8], peer: LinkPublicKey, sending: CipherState, receiving: CipherState) {
        self.hash = NearbyLinkID(restoring: hash)
        self.peer = peer
        self.sending = sending
        self.receiving = receiving
    }

    /// Seals a message; each call uses the next nonce.
    ///
    /// - Throws: ``HandshakeFailure`` when the message is too long or the nonces are used up.
    package mutating func seal(_ plaintext: [UInt8]) throws(HandshakeFailure) -> [UInt8] {
        try sending.seal(plaintext)
    }

    /// Opens a message; they must come in the order in which they were sealed.
    ///
    /// - Throws: ``HandshakeFailure`` when it was changed, repeated or left out.
    package mutating func open(_ sealed: [UInt8]) throws(HandshakeFailure) -> [UInt8] {
        try receiving.open(sealed)
    }
}
