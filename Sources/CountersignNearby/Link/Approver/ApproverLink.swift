/// The approver's end of one link, from the end of the handshake to the requester's `done`.
///
///     awaitingAsk ─▶ inLine ─▶ prompting ──tap──▶ awaitingCode ──digits──▶ awaitingReveal ──reveal──▶ trusted
///                      ▲  │                            │ miss                    │ miss
///                      │  └─(paired)─▶ trusted         ▼                         │
///                      └──────commit─────────── awaitingCommit ◀─────────────────┘
///
///     trusted: awaitingRequest ──request──▶ deciding ──decision──▶ sending ──▶ awaitingDone ──▶ ended
///
/// It is a state machine as a value: its inputs are messages, actions of the person and the time; its outputs are
/// effects.
struct ApproverLink: LinkEnd {
    /// The step that the link waits for.
    enum State: Sendable {
        /// The requester has not asked yet.
        case awaitingAsk
        /// It has asked; `commit` for the nonce of a run is expected.
        case awaitingCommit(Question, CodeAttempt)
        /// Others are served first.
        case inLine(Question, Run)
        /// The person is asked whether the screen is in front of them.
        case prompting(Question, Run)
        /// The person types; this end's nonce was sent.
        case awaitingCode(Question, Run, own: LinkNonce)
        /// The person has typed; `reveal` with the requester's nonce is expected.
        case awaitingReveal(Question, Run, CodeEntry)
        /// The request is expected; `spare` is the run still left for asking a paired requester for a code.
        case awaitingRequest(Question, spare: Run?)
        /// The app decides.
        case deciding(Question, NearbyRequest, spare: Run?)
        /// Parts of the grant are being sent.
        case sending(Sending)
        /// The whole grant was sent.
        case awaitingDone(Sending)
        /// It has ended.
        case ended
    }

    /// The requester's `ask`, and the derived values.
    struct Question: Sendable {
        let ask: LinkMessage.Ask
        /// Computes codes and commitments for this link and this question.
        let exchange: CodeExchange
        /// A request that was received before the code was asked for.
        var request: NearbyRequest?
    }

    /// One attempt at a code, and what the requester committed to in it.
    struct Run: Sendable {
        let run: CodeAttempt
        /// The digest of the requester's nonce.
        let commitment: LinkDigest
    }

    /// The digits that the person typed, and the nonces of the commitment to them.
    struct CodeEntry: Sendable {
        let code: LinkCode
        let own: LinkNonce
        /// Hides the digits in the commitment until they are opened.
        let blind: LinkNonce
    }

    /// An approval on its way.
    struct Sending: Sendable {
        /// The requester's question.
        let asked: LinkMessage.Ask
        /// Whether the person wants to pair with the requester.
        let pairs: Bool
        let bytes: [UInt8]
        var sent = 0
    }

    let link: NearbyLinkID
    let terms: ApproverLinkSettings
    /// Draws nonces.
    let random: RandomSource
    /// Detects a dead peer, and schedules keep-alives.
    var keepAlive: LinkKeepAlive

    /// The step that the link waits for.
    var state: State = .awaitingAsk
    var stateEnds: ContinuousClock.Instant?
    /// The authentication of the requester; `nil` before that.
    var trust: NearbyProof?
    /// Finished runs, whose messages may still arrive.
    var voidRuns: Set<CodeAttempt> = []

    /// The end of a link before anything is received.
    init(
        on link: EstablishedLink,
        terms: ApproverLinkSettings,
        drawingFrom random: RandomSource,
        at now: ContinuousClock.Instant
    ) {
        self.link = link.hash
        self.terms = terms
        self.random = random
        trust = link.pairing.map { .paired(at: $0.made) }
        keepAlive = LinkKeepAlive(from: now, times: terms.times)
        stateEnds = now + terms.times.ask
    }
}

// Events.
extension ApproverLink {
    mutating func receive(_ message: LinkMessage, at now: ContinuousClock.Instant) -> [ApproverEffect] {
        keepAlive.received(at: now)
        return paced(at: now) { link in
            switch message {
            case .alive: return []
            case .end(let reason): return link.end(.gone(said: reason), saying: nil)
            case .reveal(let run, _), .missed(let run):
                guard !link.voidRuns.contains(run) else { return [] }
            default: break
            }
            switch link.state {
            case .awaitingAsk: return link.awaitingAsk(receives: message, at: now)
            case .awaitingCommit(let asked, let run):
                return link.awaitingCommit(asked, run, receives: message, at: now)
            case .awaitingCode(let asked, let run, own: _):
                guard message == .missed(run.run) else { return link.breach() }
                return link.miss(asked, run, tellingPeer: false, at: now)
            case .awaitingReveal(let asked, let run, let typed):
                return link.awaitingReveal(asked, run, typed, receives: message, at: now)
            case .awaitingRequest(let asked, let spare):
                return link.awaitingRequest(asked, spare: spare, receives: message, at: now)
            case .awaitingDone(let sending): return link.awaitingDone(sending, receives: message)
            case .inLine, .prompting, .deciding, .sending: return link.breach()
            case .ended: return []
            }
        }
    }

    /// So many others are served first.
    mutating func move(toPlace place: Int, at now: ContinuousClock.Instant) -> [ApproverEffect] {
        guard case .inLine = state else { return [] }
        return paced(at: now) { _ in [.send(.wait(place: min(max(place, 1), 4)))] }
    }

    /// The requester reached the head of the queue: the person is asked, or a paired requester continues without a
    /// question.
    mutating func reachHead(at now: ContinuousClock.Instant) -> [ApproverEffect] {
        guard case .inLine(let asked, let run) = state else { return [] }
        return paced(at: now) { link in
            if link.trust?.isPaired == true, run.run == .first {
                link.state = .awaitingRequest(asked, spare: run)
                link.stateEnds = now + link.terms.times.step
                return [.send(.trusted)]
            }
            link.state = .prompting(asked, run)
            link.stateEnds = now + link.terms.times.prompt
            return [.prompt(NearbyPrompt(asked.ask, run: run.run, terms: link.terms, link: link.link))]
        }
    }

    /// The person has that screen in front of them: this end's nonce is sent now, and counts as a guess.
    mutating func see(at now: ContinuousClock.Instant) -> [ApproverEffect] {
        guard case .prompting(let asked, let run) = state else { return [] }
        return paced(at: now) { $0.askForCode(asked, run, at: now) }
    }

    /// The person has typed digits.
    mutating func type(_ code: LinkCode, at now: ContinuousClock.Instant) -> [ApproverEffect] {
        guard case .awaitingCode(let asked, let run, let own) = state else { return [] }
        return paced(at: now) { link in
            let typed = CodeEntry(code: code, own: own, blind: LinkNonce(drawingFrom: link.random))
            link.state = .awaitingReveal(asked, run, typed)
            link.stateEnds = now + link.terms.times.step
            let digest = asked.exchange.commitment(run.run, typed: code, approver: own, blind: typed.blind)
            return [.send(.typed(run.run, digest))]
        }
    }

    /// The person gives up typing digits.
    mutating func giveUp(at now: ContinuousClock.Instant) -> [ApproverEffect] {
        guard case .awaitingCode(let asked, let run, own: _) = state else { return [] }
        return paced(at: now) { $0.miss(asked, run, tellingPeer: true, at: now) }
    }

    mutating func decide(_ decision: NearbyDecision, at now: ContinuousClock.Instant) -> [ApproverEffect] {
        guard case .deciding(let asked, let request, let spare) = state else { return [] }
        return paced(at: now) { $0.decided(decision, asked, request, spare: spare, at: now) }
    }

    /// The last message was written; the next part of a grant may follow.
    mutating func wrote(at now: ContinuousClock.Instant) -> [ApproverEffect] {
        guard case .sending(let sending) = state else { return [] }
        return paced(at: now) { $0.send(sending, at: now) }
    }

    /// Whether the connection is to be closed.
    var isOver: Bool {
        if case .ended = state { true } else { false }
    }
}

// Shared by several states.
extension ApproverLink {
    /// Ends the link, and counts a miss if a nonce was sent without success.
    mutating func end(_ outcome: ApproverOutcome, saying reason: EndReason?) -> [ApproverEffect] {
        var effects: [ApproverEffect] = []
        switch state {
        case .ended: return []
        // A nonce was sent without success: a requester that disconnects now has used a guess.
        case .awaitingCode, .awaitingReveal: effects = [.stopAsking, .countMiss]
        case .prompting, .deciding: effects = [.stopAsking]
        default: break
        }
        state = .ended
        stateEnds = nil
        if let reason { effects.append(.send(.end(reason))) }
        return effects + [.end(outcome)]
    }
}
