package import Countersign

/// The approver's end of one link, from the handshake to the requester's thanks.
///
///     awaitingAsk ─▶ inLine ─▶ prompting ──tap──▶ awaitingCode ──digits──▶ awaitingReveal ──reveal──▶ trusted
///                      ▲  │                            │ miss                    │ miss
///                      │  └─(paired)─▶ trusted         ▼                         │
///                      └──────commit─────────── awaitingCommit ◀─────────────────┘
///
///     trusted: awaitingRequest ──request──▶ deciding ──decision──▶ sending ──▶ awaitingDone ──▶ ended
///
/// It is a value: what arrives, what the person does and what time it is come in, what to do goes out.
package struct ApproverLink: Sendable {
    /// What the link waits for.
    enum State: Sendable {
        /// The requester has not asked yet.
        case awaitingAsk
        /// It has asked, and is to commit to the nonce of a run.
        case awaitingCommit(Asked, LinkRun)
        /// Others are served first.
        case inLine(Asked, Run)
        /// The person is asked whether the screen is in front of them.
        case prompting(Asked, Run)
        /// The person types; this end's nonce is given away.
        case awaitingCode(Asked, Run, own: LinkNonce)
        /// The person has typed; the requester is to reveal its nonce.
        case awaitingReveal(Asked, Run, Typed)
        /// `spare` is the run that the rules of this approver may still ask a paired requester for.
        case awaitingRequest(Asked, spare: Run?)
        /// The app decides.
        case deciding(Asked, NearbyRequest, spare: Run?)
        /// Parts of the grant are leaving.
        case sending(Sending)
        /// All of the grant has left.
        case awaitingDone(Sending)
        /// It is over.
        case ended
    }

    /// What the requester asked, and what follows from it.
    struct Asked: Sendable {
        /// The message.
        let ask: LinkMessage.Ask
        /// Computes codes and commitments for this link and this question.
        let exchange: CodeExchange
        /// A request that came before the code was asked for.
        var request: NearbyRequest?
    }

    /// One attempt at a code, and what the requester committed to in it.
    struct Run: Sendable {
        /// Which attempt it is.
        let run: LinkRun
        /// The digest of the requester's nonce.
        let commitment: LinkDigest
    }

    /// What the person typed, and what hides it.
    struct Typed: Sendable {
        /// The digits.
        let code: LinkCode
        /// This end's nonce.
        let own: LinkNonce
        /// Hides the digits in the commitment until they are opened.
        let blind: LinkNonce
    }

    /// An approval on its way.
    struct Sending: Sendable {
        /// What was asked.
        let asked: LinkMessage.Ask
        /// Whether the person wants the requester remembered.
        let remembers: Bool
        /// The grant.
        let bytes: [UInt8]
        /// How many of its bytes have left.
        var sent = 0
    }

    /// Names the link.
    let link: NearbyLinkID
    /// What this end brings into the link.
    let terms: ApproverTerms
    /// Draws nonces.
    let random: RandomSource
    /// When each end was last heard.
    private(set) var keepAlive: LinkKeepAlive

    /// What the link waits for.
    var state: State = .awaitingAsk
    /// When the present state has lasted too long.
    var stateEnds: ContinuousClock.Instant?
    /// How the requester was authenticated; `nil` until it is.
    var trust: NearbyProof?
    /// What may still arrive of runs that are over.
    var voidRuns: Set<LinkRun> = []

    /// An end that has not heard anything yet.
    ///
    /// - Parameters:
    ///   - link: The link, whose handshake is over.
    ///   - terms: What this end wants of the link.
    ///   - random: Where random bytes come from.
    ///   - now: The instant at which this happens.
    package init(
        on link: EstablishedLink,
        terms: ApproverTerms,
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

// What happens.
extension ApproverLink {
    /// A message has arrived.
    package mutating func receive(_ message: LinkMessage, at now: ContinuousClock.Instant) -> [ApproverEffect] {
        keepAlive.hear(at: now)
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
            case .awaitingDone(let sending):
                return link.awaitingDone(sending, receives: message)
            case .inLine, .prompting, .deciding, .sending: return link.breach()
            case .ended: return []
            }
        }
    }

    /// What arrived is no message, or does not open.
    package mutating func receiveNonsense(at now: ContinuousClock.Instant) -> [ApproverEffect] {
        paced(at: now) { $0.breach() }
    }

    /// As many others are served first.
    package mutating func move(toPlace place: Int, at now: ContinuousClock.Instant) -> [ApproverEffect] {
        guard case .inLine = state else { return [] }
        return paced(at: now) { _ in [.send(.wait(place: min(max(place, 1), 4)))] }
    }

    /// No other is served first: the person is asked, or a paired requester is let through.
    package mutating func reachHead(at now: ContinuousClock.Instant) -> [ApproverEffect] {
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

    /// The person has that screen in front of them: this end's nonce leaves now, and counts as a guess.
    package mutating func see(at now: ContinuousClock.Instant) -> [ApproverEffect] {
        guard case .prompting(let asked, let run) = state else { return [] }
        return paced(at: now) { $0.askForCode(asked, run, at: now) }
    }

    /// The person has typed digits.
    package mutating func type(_ code: LinkCode, at now: ContinuousClock.Instant) -> [ApproverEffect] {
        guard case .awaitingCode(let asked, let run, let own) = state else { return [] }
        return paced(at: now) { link in
            let typed = Typed(code: code, own: own, blind: LinkNonce(drawingFrom: link.random))
            link.state = .awaitingReveal(asked, run, typed)
            link.stateEnds = now + link.terms.times.step
            let digest = asked.exchange.commitment(run.run, typed: code, approver: own, blind: typed.blind)
            return [.send(.typed(run.run, digest))]
        }
    }

    /// The person types no digits.
    package mutating func giveUp(at now: ContinuousClock.Instant) -> [ApproverEffect] {
        guard case .awaitingCode(let asked, let run, own: _) = state else { return [] }
        return paced(at: now) { $0.miss(asked, run, tellingPeer: true, at: now) }
    }

    /// The app has decided.
    package mutating func decide(_ decision: NearbyDecision, at now: ContinuousClock.Instant) -> [ApproverEffect] {
        guard case .deciding(let asked, let request, let spare) = state else { return [] }
        return paced(at: now) { $0.decided(decision, asked, request, spare: spare, at: now) }
    }

    /// What was sent has left; the next part of a grant may follow.
    package mutating func wrote(at now: ContinuousClock.Instant) -> [ApproverEffect] {
        guard case .sending(let sending) = state else { return [] }
        return paced(at: now) { $0.send(sending, at: now) }
    }

    /// This end wants no more of the link.
    ///
    /// - Parameters:
    ///   - reason: Why, as the other end is told.
    ///   - outcome: How it has ended, as the app is told.
    ///   - now: The instant at which this happens.
    package mutating func leave(
        _ reason: EndReason,
        _ outcome: ApproverOutcome? = nil,
        at now: ContinuousClock.Instant
    ) -> [ApproverEffect] {
        paced(at: now) { $0.end(outcome ?? .left(reason), saying: reason) }
    }

    /// The connection is closed.
    package mutating func close() -> [ApproverEffect] {
        end(.gone(said: nil), saying: nil)
    }

    /// Time has passed.
    package mutating func pass(at now: ContinuousClock.Instant) -> [ApproverEffect] {
        paced(at: now) { link in
            guard !link.isOver else { return [] }
            if link.keepAlive.isGone(at: now) { return link.end(.gone(said: nil), saying: nil) }
            if let ends = link.stateEnds, now >= ends { return link.lasted(at: now) }
            return link.keepAlive.isToSpeak(at: now) ? [.send(.alive)] : []
        }
    }

    /// When to call ``pass(at:)`` next; `nil` when it is over.
    package var deadline: ContinuousClock.Instant? {
        isOver ? nil : stateEnds.map { min($0, keepAlive.deadline) } ?? keepAlive.deadline
    }

    /// Whether the connection is to be closed.
    package var isOver: Bool {
        if case .ended = state { true } else { false }
    }

    /// Whether the requester is authenticated.
    package var isTrusted: Bool {
        switch state {
        case .awaitingRequest, .deciding, .sending, .awaitingDone: true
        default: trust?.isPaired == true
        }
    }

    /// Whether it waits for its turn.
    package var isInLine: Bool {
        if case .inLine = state { true } else { false }
    }
}

// What several states share.
extension ApproverLink {
    /// Lets an event happen, and notes when something is said.
    private mutating func paced(
        at now: ContinuousClock.Instant,
        _ event: (inout ApproverLink) -> [ApproverEffect]
    ) -> [ApproverEffect] {
        let effects = event(&self)
        if effects.contains(where: \.speaks) { keepAlive.speak(at: now) }
        return effects
    }

    /// The requester has broken the rules.
    mutating func breach() -> [ApproverEffect] {
        end(.brokeProtocol, saying: .brokeProtocol)
    }

    /// Ends the link, and counts a miss where a nonce was given away for nothing.
    mutating func end(_ outcome: ApproverOutcome, saying reason: EndReason?) -> [ApproverEffect] {
        var effects: [ApproverEffect] = []
        switch state {
        case .ended: return []
        // A nonce was given away for nothing: a requester that hangs up now has had a guess.
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
