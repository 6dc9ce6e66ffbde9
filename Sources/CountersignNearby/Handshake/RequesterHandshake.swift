/// The requester's part of frames 1 to 3.
package struct RequesterHandshake: Sendable {
    /// The hello of frame 1.
    private let hello: Hello
    /// The handshake after message 1.
    private let noise: NoiseInitiator
    /// The pairings that message 1 has hints for.
    private let pairings: [Pairing]
    /// The static key pair for an approver that is not paired.
    private let fresh: LinkKeyPair

    /// - Parameter pairings: The pairings that the approver may share; at most eight are hinted at.
    package init(
        app: NearbyAppID,
        version: LinkVersion,
        of versions: LinkVersions,
        pairings: [Pairing],
        drawingFrom random: RandomSource
    ) throws(HandshakeError) {
        guard let hello = Hello(version: version, offered: versions) else { throw .version }
        let ephemeral = LinkKeyPair(drawingFrom: random)
        self.hello = hello
        self.pairings = Array(pairings.prefix(PairingHints.count))
        fresh = LinkKeyPair(drawingFrom: random)
        noise = try NoiseInitiator(
            prologue: hello.prologue(for: app),
            ephemeral: ephemeral,
            payload: PairingHints.written(for: self.pairings, ephemeral: ephemeral.publicKey, drawingFrom: random)
        )
    }

    package var frame: [UInt8] { hello.bytes + noise.message }

    /// The result of reading frame 2.
    package enum Answer: Sendable {
        /// The approver has answered.
        case greeted(Greeting)
        /// An unencrypted refusal, from a peer that is not authenticated: a hint only.
        case refused(EndReason, versions: LinkVersions)
    }

    package func read(_ frame: [UInt8]) throws(HandshakeError) -> Answer {
        switch frame.first {
        case 0:
            guard let refusal = PlaintextRefusal(parsing: frame) else { throw .malformed }
            return .refused(refusal.reason, versions: refusal.versions)
        case 1:
            guard HandshakeFrames.secondLengths.contains(frame.count) else { throw .malformed }
            let greeted = try noise.read(Array(frame.dropFirst()))
            guard let versions = LinkVersions(parsing: greeted.payload) else { throw .malformed }
            guard hello.offered.highest(sharedWith: versions) == hello.version else { throw .version }
            let pairing = pairings.first { $0.peer == greeted.peer }
            return .greeted(Greeting(noise: greeted, pairing: pairing, own: pairing?.own ?? fresh))
        default: throw .malformed
        }
    }

    /// The approver has shown its key; this side has not yet shown its own.
    package struct Greeting: Sendable {
        /// The handshake after message 2.
        fileprivate let noise: NoiseInitiator.Greeting
        package let pairing: Pairing?
        /// The static key pair that message 3 shows.
        fileprivate let own: LinkKeyPair

        package func finish() throws(HandshakeError) -> (frame: [UInt8], link: EstablishedLink) {
            let (frame, session) = try noise.finish(with: own)
            return (frame, EstablishedLink(session: session, pairing: pairing, own: own))
        }
    }
}
