/// The requester's end of one link, from the handshake to the grant.
///
///     joined ──ready──▶ codeShown ──typed──▶ revealed ──open──▶ asked ──decision──▶ receiving ──▶ concluding
///       ▲                   │ miss              │ miss            ▲ │ (paired: ready, once) ──▶ codeShown
///       └──────press─── missed ◀────────────────┘                 │
///       └───────────────────────trusted (paired)──────────────────┘
///
/// It is a state machine as a value: its inputs are messages, actions of the person and the time; its outputs are
/// effects.
struct RequesterLink: LinkEnd {
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
        let run: CodeAttempt
        let nonce: LinkNonce
    }

    /// A grant that is being received.
    struct Receiving: Sendable {
        /// The announcement of the grant.
        let decision: LinkMessage.Decision
        var parts: [[UInt8]] = []
        /// The number of their bytes.
        var count = 0
    }

    let terms: RequesterLinkSettings
    /// Computes codes and commitments for this link and this question.
    let exchange: CodeExchange
    let ask: LinkMessage.Ask
    /// Hides the request in its digest.
    private let salt: LinkNonce
    private let body: [UInt8]
    /// Draws nonces.
    let random: RandomSource
    /// Detects a dead peer, and schedules keep-alives.
    var keepAlive: LinkKeepAlive

    /// The step that the link waits for.
    var state: State
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
    init(
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
            wantsPairing: terms.wantsPairing,
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
    mutating func begin(at now: ContinuousClock.Instant) -> [RequesterEffect] {
        guard case .joined(let run) = state else { return [] }
        return paced(at: now) { link in [.send(.ask(link.ask))] + link.join(run, at: now) }
    }

    mutating func receive(_ message: LinkMessage, at now: ContinuousClock.Instant) -> [RequesterEffect] {
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

    /// The person wants another code.
    mutating func tryAgain(at now: ContinuousClock.Instant) -> [RequesterEffect] {
        guard case .missed(let last) = state, let next = last.run.next else { return [] }
        return paced(at: now) { $0.join(Run(run: next, nonce: LinkNonce(drawingFrom: $0.random)), at: now) }
    }

    /// The person dismisses the code.
    mutating func goBack(at now: ContinuousClock.Instant) -> [RequesterEffect] {
        guard case .codeShown(let run, approver: _) = state else { return [] }
        return paced(at: now) { $0.miss(run, tellingPeer: true, at: now) }
    }

    /// The code could not be shown, because another one is on the screen: this end leaves, and nothing is counted.
    mutating func couldNotShowCode(at now: ContinuousClock.Instant) -> [RequesterEffect] {
        guard case .codeShown(let run, approver: _) = state else { return [] }
        return paced(at: now) { link in
            link.state = .missed(run)
            return link.end(.left(.answeredElsewhere), saying: .answeredElsewhere)
        }
    }

    /// The pairing was kept, or not, as ``RequesterEffect/settle(keepingPairing:named:)`` asked.
    mutating func settled(pairing paired: Bool, at now: ContinuousClock.Instant) -> [RequesterEffect] {
        guard case .concluding(let grant, let name) = state, let trust else { return [] }
        return paced(at: now) { link in
            link.state = .ended
            link.stateEnds = nil
            return [.send(.done(paired: paired)), .end(.granted(grant, from: name, by: trust))]
        }
    }

    /// Whether the connection is to be closed.
    var isOver: Bool {
        if case .ended = state { true } else { false }
    }
}

// Shared by several states.
extension RequesterLink {
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
    mutating func miss(_ run: Run, tellingPeer: Bool, at now: ContinuousClock.Instant) -> [RequesterEffect] {
        voidRuns.insert(run.run)
        codesLeft -= 1
        state = .missed(run)
        var effects: [RequesterEffect] = [.takeCodeAway, .countMiss]
        if tellingPeer { effects.append(.send(.missed(run.run))) }
        guard codesLeft > 0, run.run.next != nil else { return effects + end(.missesUsedUp, saying: .missesUsedUp) }
        stateEnds = now + terms.times.typing
        return effects + [.tell(.missed(codesLeft: codesLeft))]
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
