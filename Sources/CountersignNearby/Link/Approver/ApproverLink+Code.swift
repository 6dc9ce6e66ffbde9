// The states before the requester is authenticated.
extension ApproverLink {
    /// Takes `ask`.
    mutating func awaitingAsk(receives message: LinkMessage, at now: ContinuousClock.Instant) -> [ApproverEffect] {
        guard case .ask(let ask) = message else { return breach() }
        let exchange = CodeExchange(on: link, ask: message.bytes, space: terms.space)
        // Keeps the current deadline: `ask` and `commit` arrive together.
        state = .awaitingCommit(Question(ask: ask, exchange: exchange), .first)
        return []
    }

    /// Takes `commit` of the awaited run, and joins the queue.
    mutating func awaitingCommit(
        _ asked: Question,
        _ run: CodeAttempt,
        receives message: LinkMessage,
        at now: ContinuousClock.Instant
    ) -> [ApproverEffect] {
        guard case .commit(run, let commitment) = message else { return breach() }
        state = .inLine(asked, Run(run: run, commitment: commitment))
        stateEnds = now + terms.times.line
        return [.joinLine]
    }

    /// Sends this end's nonce, and asks the person for the digits.
    mutating func askForCode(_ asked: Question, _ run: Run, at now: ContinuousClock.Instant) -> [ApproverEffect] {
        let own = LinkNonce(drawingFrom: random)
        state = .awaitingCode(asked, run, own: own)
        stateEnds = now + terms.times.typing
        return [
            .send(.ready(run.run, own)),
            .askForCode(NearbyPrompt(asked.ask, run: run.run, terms: terms, link: link)),
        ]
    }

    /// Takes `reveal`: the requester is authenticated when both the commitment and the code hold.
    mutating func awaitingReveal(
        _ asked: Question,
        _ run: Run,
        _ typed: CodeEntry,
        receives message: LinkMessage,
        at now: ContinuousClock.Instant
    ) -> [ApproverEffect] {
        switch message {
        case .missed(run.run): return miss(asked, run, tellingPeer: false, at: now)
        case .reveal(run.run, let nonce):
            let code = asked.exchange.code(run.run, requester: nonce, approver: typed.own)
            let isCommitted = asked.exchange.commitment(run.run, requester: nonce) == run.commitment
            // Both are always computed, so that the time does not reveal which one was wrong.
            guard isCommitted, code == typed.code else { return miss(asked, run, tellingPeer: true, at: now) }
            trust = .code
            voidRuns.insert(run.run)
            let open = LinkMessage.open(run.run, typed.blind)
            guard let request = asked.request else {
                state = .awaitingRequest(asked, spare: nil)
                stateEnds = now + terms.times.step
                return [.send(open)]
            }
            return [.send(open)] + askForDecision(asked, request, spare: nil, at: now)
        default: return breach()
        }
    }

    /// A nonce was sent, but the run failed: the run is void.
    mutating func miss(
        _ asked: Question,
        _ run: Run,
        tellingPeer: Bool,
        at now: ContinuousClock.Instant
    ) -> [ApproverEffect] {
        voidRuns.insert(run.run)
        var effects: [ApproverEffect] = [.stopAsking, .countMiss]
        if tellingPeer { effects.append(.send(.missed(run.run))) }
        guard let next = run.run.next else {
            state = .awaitingAsk
            return effects + end(.missesUsedUp, saying: .missesUsedUp)
        }
        state = .awaitingCommit(asked, next)
        stateEnds = now + terms.times.typing
        return effects + [.tellMissed]
    }

    /// The deadline of the current state has passed.
    mutating func lasted(at now: ContinuousClock.Instant) -> [ApproverEffect] {
        switch state {
        case .awaitingCode(let asked, let run, own: _), .awaitingReveal(let asked, let run, _):
            return miss(asked, run, tellingPeer: true, at: now)
        case .awaitingAsk, .awaitingCommit, .inLine, .prompting, .awaitingRequest, .deciding, .sending, .awaitingDone:
            return end(.timedOut, saying: .timedOut)
        case .ended: return []
        }
    }
}
