package import Countersign

/// The requester's end of one link, from the handshake to the grant.
///
///     joined ──ready──▶ codeShown ──typed──▶ revealed ──open──▶ asked ──decision──▶ receiving ──▶ concluding
///       ▲                   │ miss              │ miss            ▲ │ (paired: ready, once) ──▶ codeShown
///       └──────press─── missed ◀────────────────┘                 │
///       └───────────────────────trusted (paired)──────────────────┘
///
/// It is a state machine as a value: its inputs are messages, actions of the person and the time; its outputs are
/// effects.
package struct RequesterLink: Sendable {
    /// The step that the link waits for.
    enum State: Sendable {
        /// The commitment was sent; the approver's answer is expected.
        case joined(Run)
        /// The code is on the screen.
        case codeShown(Run, approver: LinkNonce)
        /// The approver's person has typed; this end's nonce is revealed.
        case revealed(Run, approver: LinkNonce, code: LinkCode, typed: LinkDigest)
        /// The code failed; the person may want another one.
        case missed(Run)
        /// The request was sent; `spare` is the run still left for a paired approver to ask for a code.
        case asked(spare: Run?)
        /// Parts of the grant are arriving.
        case receiving(Receiving)
        /// The grant is complete; the pairing is being stored.
        case concluding(NearbyGrant, from: PeerName)
        /// It has ended.
        case ended
    }

    /// One attempt at a code, and this end's nonce in it.
    struct Run: Sendable {
        /// The number of the attempt.
        let run: CodeAttempt
        /// This end's nonce.
        let nonce: LinkNonce
    }

    /// A grant that is being received.
    struct Receiving: Sendable {
        /// The announcement of the grant.
        let decision: LinkMessage.Decision
        /// The parts that have arrived.
        var parts: [[UInt8]] = []
        /// The number of their bytes.
        var count = 0
    }

    /// The settings of this end.
    let terms: RequesterLinkSettings
    /// Computes codes and commitments for this link and this question.
    let exchange: CodeExchange
    /// The first message.
    package let ask: LinkMessage.Ask
    /// Hides the request in its digest.
    private let salt: LinkNonce
    /// The request.
    private let body: [UInt8]
    /// Draws nonces.
    let random: RandomSource
    /// Detects a dead peer, and schedules keep-alives.
    private(set) var keepAlive: LinkKeepAlive

    /// The step that the link waits for.
    var state: State
    /// The deadline of the current state.
    var stateEnds: ContinuousClock.Instant?
    /// Whether the request was sent; it is sent once.
    var hasSentRequest = false
    /// The authentication of the approver; `nil` before that.
    var trust: NearbyProof?
    /// Finished runs, whose messages may still arrive.
    var voidRuns: Set<CodeAttempt> = []
    /// The number of codes that may be shown before this sign-in attempt ends.
    private(set) var codesLeft: Int

    /// The end of a link before anything is sent; see ``begin(at:)``.
    ///
    /// - Parameters:
    ///   - link: The link, whose handshake is complete.
    ///   - terms: The settings of this end.
    ///   - random: The source of random bytes.
    package init(
        on link: EstablishedLink,
        terms: RequesterLinkSettings,
        drawingFrom random: RandomSource,
        at now: ContinuousClock.Instant
    ) {
        self.terms = terms
        self.random = random
        salt = LinkNonce(drawingFrom: random)
        body = RequestBody.written(terms.request)
        ask = LinkMessage.Ask(
            kind: terms.request.kind,
            wantsToBeRemembered: terms.wantsToBeRemembered,
            requestDigest: RequestBody.digest(of: body, salt: salt),
            name: terms.name)
        exchange = CodeExchange(on: link.hash, ask: LinkMessage.ask(ask).bytes, space: terms.space)
        trust = link.pairing.map { .paired(at: $0.made) }
        codesLeft = terms.codesLeft
        keepAlive = LinkKeepAlive(from: now, times: terms.times)
        state = .joined(Run(run: .first, nonce: LinkNonce(drawingFrom: random)))
    }
}

// Events.
extension RequesterLink {
    /// The handshake is complete: asks, and commits to the first nonce.
    package mutating func begin(at now: ContinuousClock.Instant) -> [RequesterEffect] {
        guard case .joined(let run) = state else { return [] }
        return paced(at: now) { link in
            [.send(.ask(link.ask))] + link.join(run, at: now)
        }
    }

    /// A message has arrived.
    package mutating func receive(_ message: LinkMessage, at now: ContinuousClock.Instant) -> [RequesterEffect] {
        keepAlive.received(at: now)
        return paced(at: now) { link in
            switch message {
            case .alive: return []
            case .end(let reason): return link.ended(saying: reason)
            case .typed(let run, _), .open(let run, _), .missed(let run):
                guard !link.voidRuns.contains(run) else { return [] }
            default: break
            }
            switch link.state {
            case .joined(let run): return link.joined(run, receives: message, at: now)
            case .codeShown(let run, let nonce): return link.showing(run, approver: nonce, receives: message, at: now)
            case .revealed: return link.revealed(receives: message, at: now)
            case .missed: return link.breach()
            case .asked(let spare): return link.asked(spare: spare, receives: message, at: now)
            case .receiving(let receiving): return link.receiving(receiving, receives: message, at: now)
            case .concluding: return link.breach()
            case .ended: return []
            }
        }
    }

    /// The received bytes are not a valid message.
    package mutating func receiveNonsense(at now: ContinuousClock.Instant) -> [RequesterEffect] {
        paced(at: now) { $0.breach() }
    }

    /// The person wants another code.
    package mutating func tryAgain(at now: ContinuousClock.Instant) -> [RequesterEffect] {
        guard case .missed(let last) = state, let next = last.run.next else { return [] }
        return paced(at: now) { $0.join(Run(run: next, nonce: LinkNonce(drawingFrom: $0.random)), at: now) }
    }

    /// The person dismisses the code.
    package mutating func goBack(at now: ContinuousClock.Instant) -> [RequesterEffect] {
        guard case .codeShown(let run, approver: _) = state else { return [] }
        return paced(at: now) { $0.miss(run, tellingPeer: true, at: now) }
    }

    /// The code could not be shown, because another one is on the screen: this end leaves, and nothing is counted.
    package mutating func couldNotShowCode(at now: ContinuousClock.Instant) -> [RequesterEffect] {
        guard case .codeShown(let run, approver: _) = state else { return [] }
        return paced(at: now) { link in
            link.state = .missed(run)
            return link.end(.left(.answeredElsewhere), saying: .answeredElsewhere)
        }
    }

    /// This end ends the link.
    package mutating func leave(_ reason: EndReason, at now: ContinuousClock.Instant) -> [RequesterEffect] {
        paced(at: now) { $0.end(.left(reason), saying: reason) }
    }

    /// The connection is closed.
    package mutating func close() -> [RequesterEffect] {
        end(.gone(said: nil), saying: nil)
    }

    /// Time has passed.
    package mutating func pass(at now: ContinuousClock.Instant) -> [RequesterEffect] {
        paced(at: now) { link in
            guard !link.isOver else { return [] }
            if link.keepAlive.isGone(at: now) { return link.end(.gone(said: nil), saying: nil) }
            if let ends = link.stateEnds, now >= ends { return link.lasted(at: now) }
            return link.keepAlive.isDue(at: now) ? [.send(.alive)] : []
        }
    }

    /// The pairing was kept, or not, as ``RequesterEffect/settle(keepingPairing:named:)`` asked.
    package mutating func settled(
        remembering remembered: Bool,
        at now: ContinuousClock.Instant
    ) -> [RequesterEffect] {
        guard case .concluding(let grant, let name) = state, let trust else { return [] }
        return paced(at: now) { link in
            link.state = .ended
            link.stateEnds = nil
            return [.send(.done(remembered: remembered)), .end(.granted(grant, from: name, by: trust))]
        }
    }

    /// The next due time of ``pass(at:)``; `nil` after the end of the link.
    package var deadline: ContinuousClock.Instant? {
        isOver ? nil : stateEnds.map { min($0, keepAlive.deadline) } ?? keepAlive.deadline
    }

    /// Whether the connection is to be closed.
    package var isOver: Bool {
        if case .ended = state { true } else { false }
    }
}

// Shared by several states.
extension RequesterLink {
    /// Applies an event, and notes when a message is sent.
    private mutating func paced(
        at now: ContinuousClock.Instant,
        _ event: (inout RequesterLink) -> [RequesterEffect]
    ) -> [RequesterEffect] {
        let effects = event(&self)
        if effects.contains(where: \.speaks) { keepAlive.speak(at: now) }
        return effects
    }

    /// Commits to a run's nonce.
    mutating func join(_ run: Run, at now: ContinuousClock.Instant) -> [RequesterEffect] {
        state = .joined(run)
        stateEnds = now + terms.times.line + terms.times.prompt
        return [.send(.commit(run.run, exchange.commitment(run.run, requester: run.nonce)))]
    }

    /// Sends the request, unless it was sent before; only to an authenticated approver.
    mutating func sendRequest(spare: Run?, at now: ContinuousClock.Instant) -> [RequesterEffect] {
        state = .asked(spare: spare)
        stateEnds = now + terms.times.longestDecision
        guard !hasSentRequest else { return [.tell(.askedForDecision)] }
        hasSentRequest = true
        return [.prepareRequest, .send(.request(salt: salt, body: body)), .tell(.askedForDecision)]
    }

    /// A code was shown without success: the run is void.
    ///
    /// - Parameters:
    ///   - run: The number of the attempt at a code.
    ///   - tellingPeer: Whether the other end is notified.
    ///   - now: The current instant.
    mutating func miss(
        _ run: Run,
        tellingPeer: Bool,
        at now: ContinuousClock.Instant
    ) -> [RequesterEffect] {
        voidRuns.insert(run.run)
        codesLeft -= 1
        state = .missed(run)
        var effects: [RequesterEffect] = [.takeCodeAway, .countMiss]
        if tellingPeer { effects.append(.send(.missed(run.run))) }
        guard codesLeft > 0, run.run.next != nil else { return effects + end(.missesUsedUp, saying: .missesUsedUp) }
        stateEnds = now + terms.times.typing
        return effects + [.tell(.missed(codesLeft: codesLeft))]
    }

    /// The peer violated the protocol.
    mutating func breach() -> [RequesterEffect] {
        end(.brokeProtocol, saying: .brokeProtocol)
    }

    /// Ends the link, removes the code from the screen, and counts a miss if a code was shown without success.
    mutating func end(_ outcome: RequesterOutcome, saying reason: EndReason?) -> [RequesterEffect] {
        var effects: [RequesterEffect] = []
        switch state {
        case .ended: return []
        case .codeShown: effects = [.takeCodeAway, .countMiss]
        case .revealed: effects = [.countMiss]
        case .joined, .missed, .asked, .receiving, .concluding: break
        }
        state = .ended
        stateEnds = nil
        if let reason { effects.append(.send(.end(reason))) }
        return effects + [.end(outcome)]
    }
}
