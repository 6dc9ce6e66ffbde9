/// The three steps of the responder; each leads to the value of the next, so none can be omitted.
///
///     → e                 `NoiseResponder`
///     ← e, ee, s, es      `NoiseResponder.Answer`
///     → s, se             `NoiseSession`
///
/// Standard: The Noise Protocol Framework, revision 34, §7.5 (XX).
package struct NoiseResponder: Sendable {
    /// The hash and the key after message 1.
    private let symmetric: SymmetricState
    package let ephemeralOfPeer: LinkPublicKey
    /// The unencrypted payload of message 1.
    package let payload: [UInt8]

    /// Reads the first message.
    package init(prologue: [UInt8], message: [UInt8]) throws(HandshakeError) {
        guard let theirs = LinkPublicKey(message.prefix(LinkPublicKey.length)) else { throw .malformed }
        var symmetric = SymmetricState(prologue: prologue)
        symmetric.mix(theirs.bytes)
        payload = try symmetric.open(Array(message.dropFirst(LinkPublicKey.length)))
        ephemeralOfPeer = theirs
        self.symmetric = symmetric
    }

    /// Writes the second message, with the key that this side chose for this peer.
    package func answer(
        ephemeral: LinkKeyPair,
        own: LinkKeyPair,
        payload: [UInt8]
    ) throws(HandshakeError) -> Answer {
        var symmetric = symmetric
        symmetric.mix(ephemeral.publicKey.bytes)
        symmetric.mix(secret: try ephemeral.agreement(with: ephemeralOfPeer))
        let sealedKey = try symmetric.seal(own.publicKey.bytes)
        symmetric.mix(secret: try own.agreement(with: ephemeralOfPeer))
        let message = ephemeral.publicKey.bytes + sealedKey + (try symmetric.seal(payload))
        return Answer(symmetric: symmetric, ephemeral: ephemeral, own: own, message: message)
    }

    /// This side has shown its key; the initiator has not shown its own yet.
    package struct Answer: Sendable {
        /// The hash and the key after message 2.
        fileprivate let symmetric: SymmetricState
        /// The responder's key pair of this connection.
        fileprivate let ephemeral: LinkKeyPair
        /// The responder's static key pair.
        let own: LinkKeyPair
        package let message: [UInt8]

        /// Reads the third message.
        package func finish(_ message: [UInt8]) throws(HandshakeError) -> (payload: [UInt8], session: NoiseSession) {
            let sealedKeyLength = LinkPublicKey.length + CipherState.tagLength
            guard message.count >= sealedKeyLength + CipherState.tagLength else { throw .malformed }
            var symmetric = symmetric
            guard let peer = LinkPublicKey(try symmetric.open(Array(message.prefix(sealedKeyLength)))) else {
                throw .malformed
            }
            guard peer != own.publicKey else { throw .ownKey }
            symmetric.mix(secret: try ephemeral.agreement(with: peer))
            let payload = try symmetric.open(Array(message.dropFirst(sealedKeyLength)))
            let directions = symmetric.split()
            let session = NoiseSession(
                hash: symmetric.hash, peer: peer,
                sending: directions.fromResponder, receiving: directions.fromInitiator)
            return (payload, session)
        }
    }
}
