// The states after the approver is authenticated.
extension RequesterLink {
    /// The request was sent: takes `decision`, or `ready` from a paired approver, once.
    ///
    /// - Parameter spare: The run that a paired end may still be asked a code of; `nil` when there is none.
    mutating func asked(
        spare: Run?,
        receives message: LinkMessage,
        at now: ContinuousClock.Instant
    ) -> [RequesterEffect] {
        switch message {
        case .decision(let decision): return decided(decision, at: now)
        case .ready(let ready, let nonce):
            // A paired approver may require a code, once.
            guard let spare, spare.run == ready else { return breach() }
            return show(spare, approver: nonce, at: now)
        default: return breach()
        }
    }

    private mutating func decided(
        _ decision: LinkMessage.Decision,
        at now: ContinuousClock.Instant
    ) -> [RequesterEffect] {
        guard decision.approves, terms.request.kind == .bytes else {
            guard decision.total == 0, decision.digest == .zero else { return breach() }
            return decision.approves
                ? settle(.atServer, decision, at: now) : end(.declined(by: decision.name), saying: nil)
        }
        return received(Receiving(decision: decision), at: now)
    }

    /// Takes the next part of the grant.
    mutating func receiving(
        _ receiving: Receiving,
        receives message: LinkMessage,
        at now: ContinuousClock.Instant
    ) -> [RequesterEffect] {
        guard case .part(let part) = message, receiving.count + part.count <= receiving.decision.total else {
            return breach()
        }
        // The last part has the rest.
        guard part.count >= LinkMessage.leastPart || receiving.count + part.count == receiving.decision.total else {
            return breach()
        }
        var receiving = receiving
        receiving.parts.append(part)
        receiving.count += part.count
        return received(receiving, at: now)
    }

    /// Continues when all parts were received and their digest is right.
    private mutating func received(_ receiving: Receiving, at now: ContinuousClock.Instant) -> [RequesterEffect] {
        state = .receiving(receiving)
        stateEnds = now + terms.times.part
        guard receiving.count == receiving.decision.total else { return [] }
        let bytes = receiving.parts.reduce(into: []) { $0 += $1 }
        guard LinkDigest(of: bytes) == receiving.decision.digest else { return breach() }
        return settle(.bytes(bytes), receiving.decision, at: now)
    }

    /// The grant is complete. A pairing is stored before the approver is notified.
    private mutating func settle(
        _ grant: NearbyGrant,
        _ decision: LinkMessage.Decision,
        at now: ContinuousClock.Instant
    ) -> [RequesterEffect] {
        state = .concluding(grant, from: decision.name)
        stateEnds = now + terms.times.done
        return [.settle(keepingPairing: terms.wantsPairing && decision.pairs, named: decision.name)]
    }
}
