/// The three steps of the initiator; each leads to the value of the next, so none can be omitted.
///
///     → e                 `NoiseInitiator`
///     ← e, ee, s, es      `NoiseInitiator.Greeting`
///     → s, se             `NoiseSession`
///
/// Standard: The Noise Protocol Framework, revision 34, §7.5 (XX).
package struct NoiseInitiator: Sendable {
    /// The hash and the key so far.
    private var symmetric: SymmetricState
    private let ephemeral: LinkKeyPair
    package let message: [UInt8]

    /// Writes message 1.
    ///
    /// - Parameters:
    ///   - prologue: The data that both ends must agree on beforehand.
    ///   - payload: The unencrypted payload of message 1.
    /// - Throws: ``HandshakeError`` when the payload cannot be written.
    package init(prologue: [UInt8], ephemeral: LinkKeyPair, payload: [UInt8]) throws(HandshakeError) {
        var symmetric = SymmetricState(prologue: prologue)
        symmetric.mix(ephemeral.publicKey.bytes)
        message = ephemeral.publicKey.bytes + (try symmetric.seal(payload))
        self.symmetric = symmetric
        self.ephemeral = ephemeral
    }

    package func read(_ message: [UInt8]) throws(HandshakeError) -> Greeting {
        let keyLength = LinkPublicKey.length
        let sealedKeyLength = keyLength + CipherState.tagLength
        guard message.count >= keyLength + sealedKeyLength + CipherState.tagLength,
            let theirs = LinkPublicKey(message.prefix(keyLength))
        else { throw .malformed }

        var symmetric = symmetric
        symmetric.mix(theirs.bytes)
        symmetric.mix(secret: try ephemeral.agreement(with: theirs))
        let sealedKey = Array(message[keyLength..<keyLength + sealedKeyLength])
        guard let peer = LinkPublicKey(try symmetric.open(sealedKey)) else { throw .malformed }
        symmetric.mix(secret: try ephemeral.agreement(with: peer))
        let payload = try symmetric.open(Array(message[(keyLength + sealedKeyLength)...]))
        return Greeting(symmetric: symmetric, ephemeralOfPeer: theirs, peer: peer, payload: payload)
    }

    /// The responder has shown its key and its payload; this side has not yet shown its own key.
    package struct Greeting: Sendable {
        /// The hash and the key after message 2.
        fileprivate let symmetric: SymmetricState
        /// The responder's key of this connection.
        fileprivate let ephemeralOfPeer: LinkPublicKey
        /// The responder's static key.
        package let peer: LinkPublicKey
        /// The payload of message 2.
        package let payload: [UInt8]

        /// Writes the third message, with the key that this side chose for this peer.
        package func finish(
            with own: LinkKeyPair,
            payload: [UInt8] = []
        ) throws(HandshakeError) -> (message: [UInt8], session: NoiseSession) {
            guard own.publicKey != peer else { throw .ownKey }
            var symmetric = symmetric
            let sealedKey = try symmetric.seal(own.publicKey.bytes)
            symmetric.mix(secret: try own.agreement(with: ephemeralOfPeer))
            let message = sealedKey + (try symmetric.seal(payload))
            let directions = symmetric.split()
            let session = NoiseSession(
                hash: symmetric.hash, peer: peer,
                sending: directions.fromInitiator, receiving: directions.fromResponder)
            return (message, session)
        }
    }
}
