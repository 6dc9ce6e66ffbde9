/// The approver's part of frames 1 to 3.
package struct ApproverHandshake: Sendable {
    /// The app that both ends must have.
    private let app: NearbyAppID
    private let versions: LinkVersions

    /// A handshake that waits for its first frame.
    package init(app: NearbyAppID, versions: LinkVersions) {
        self.app = app
        self.versions = versions
    }

    /// The result of reading frame 1.
    package enum Opening: Sendable {
        /// The hello is to be answered.
        case greeted(Greeting)
        /// The requester uses a version that this end does not accept: it gets an unencrypted refusal.
        case refused(PlaintextRefusal)
    }

    /// Reads frame 1; no key is touched yet.
    package func read(_ frame: [UInt8]) throws(HandshakeError) -> Opening {
        guard let hello = Hello(parsingFrontOf: frame) else { throw .malformed }
        guard versions.highest(sharedWith: hello.offered) == hello.version else {
            return .refused(PlaintextRefusal(reason: .version, versions: versions))
        }
        let message = Array(frame.dropFirst(hello.bytes.count))
        guard message.count == HandshakeFrames.firstMessageLength else { throw .malformed }
        let noise = try NoiseResponder(prologue: hello.prologue(for: app), message: message)
        return .greeted(Greeting(noise: noise, versions: versions))
    }

    /// The handshake after frame 1, which may have hints of pairings.
    package struct Greeting: Sendable {
        /// The handshake after message 1.
        fileprivate let noise: NoiseResponder
        fileprivate let versions: LinkVersions

        /// The requester's key for this connection alone: a first frame that has been used before has a known one.
        package var ephemeral: LinkPublicKey { noise.ephemeralOfPeer }

        /// The pairing among those of `hints` that the requester hints at. An attacker can replay a hint; it only
        /// selects the presented key, and proves nothing.
        package func hinted(in hints: PairingHints) -> Pairing? {
            hints.pairing(hintedAtBy: noise.payload, ephemeral: noise.ephemeralOfPeer)
        }

        /// Frame 2, with the key of `pairing` or a fresh one.
        package func answer(
            as pairing: Pairing?,
            drawingFrom random: RandomSource
        ) throws(HandshakeError) -> Answer {
            let answered = try noise.answer(
                ephemeral: LinkKeyPair(drawingFrom: random),
                own: pairing?.own ?? LinkKeyPair(drawingFrom: random),
                payload: versions.bytes)
            return Answer(noise: answered, pairing: pairing)
        }
    }

    /// This side has shown its key; the requester's is still to come.
    package struct Answer: Sendable {
        /// The handshake after message 2.
        fileprivate let noise: NoiseResponder.Answer
        /// The pairing whose key was presented, if any.
        fileprivate let pairing: Pairing?

        package var frame: [UInt8] { [1] + noise.message }

        /// Reads frame 3. A requester that was answered with the key of a pairing must show the other key of that
        /// pairing.
        package func read(_ frame: [UInt8]) throws(HandshakeError) -> EstablishedLink {
            guard frame.count == HandshakeFrames.thirdLength else { throw .malformed }
            let (payload, session) = try noise.finish(frame)
            guard payload.isEmpty else { throw .malformed }
            if let pairing, pairing.peer != session.peer { throw .notThePinnedKey }
            return EstablishedLink(session: session, pairing: pairing, own: noise.own)
        }
    }
}
