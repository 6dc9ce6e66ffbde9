package import Countersign

/// The sealed conversation that a handshake led to.
package struct NoiseSession: Sendable {
    /// What the handshake was: unlike any other, and no secret.
    package let hash: NearbyLinkID
    /// The key that the other end has shown to hold.
    package let peer: LinkPublicKey
    private var sending: CipherState
    private var receiving: CipherState

    init(hash: [UInt8], peer: LinkPublicKey, sending: CipherState, receiving: CipherState) {
        self.hash = NearbyLinkID(restoring: hash)
        self.peer = peer
        self.sending = sending
        self.receiving = receiving
    }

    package mutating func seal(_ plaintext: [UInt8]) throws(HandshakeFailure) -> [UInt8] {
        try sending.seal(plaintext)
    }

    package mutating func open(_ sealed: [UInt8]) throws(HandshakeFailure) -> [UInt8] {
        try receiving.open(sealed)
    }
}
