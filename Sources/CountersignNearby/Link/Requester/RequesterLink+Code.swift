// The states before the approver is authenticated by a code.
extension RequesterLink {
    /// Waits in the queue: takes `wait`, `ready` or `trusted`.
    mutating func joined(
        _ run: Run,
        receives message: LinkMessage,
        at now: ContinuousClock.Instant
    ) -> [RequesterEffect] {
        switch message {
        case .wait(let place): return [.tell(.waiting(place: place))]
        case .ready(let ready, let nonce) where ready == run.run: return show(run, approver: nonce, at: now)
        case .trusted where trust?.isPaired == true && run.run == .first: return sendRequest(spare: run, at: now)
        default: return breach()
        }
    }

    /// Shows the code of a run, once both nonces are known.
    mutating func show(_ run: Run, approver nonce: LinkNonce, at now: ContinuousClock.Instant) -> [RequesterEffect] {
        state = .codeShown(run, approver: nonce)
        stateEnds = now + terms.times.typing
        return [.showCode(exchange.code(run.run, requester: run.nonce, approver: nonce))]
    }

    /// While the code is shown: takes `typed` or `missed`.
    mutating func showing(
        _ run: Run,
        approver nonce: LinkNonce,
        receives message: LinkMessage,
        at now: ContinuousClock.Instant
    ) -> [RequesterEffect] {
        switch message {
        case .typed(run.run, let digest):
            let code = exchange.code(run.run, requester: run.nonce, approver: nonce)
            state = .revealed(run, approver: nonce, code: code, typed: digest)
            stateEnds = now + terms.times.step
            // The code is removed first: once the nonce is revealed, the code must not be typed elsewhere.
            return [.takeCodeAway, .send(.reveal(run.run, run.nonce))]
        case .missed(run.run): return miss(run, tellingPeer: false, at: now)
        default: return breach()
        }
    }

    /// The nonce was revealed: takes `open` or `missed`. The approver is authenticated when its commitment holds.
    mutating func revealed(receives message: LinkMessage, at now: ContinuousClock.Instant) -> [RequesterEffect] {
        guard case .revealed(let run, let nonce, let code, let typed) = state else { return [] }
        switch message {
        case .open(run.run, let blind):
            guard exchange.commitment(run.run, typed: code, approver: nonce, blind: blind) == typed else {
                return end(.notAuthentic, saying: .brokeProtocol)
            }
            // A paired approver that asked for the code is trusted by both.
            trust = .code
            return [.giveCodeBack] + sendRequest(spare: nil, at: now)
        case .missed(run.run): return miss(run, tellingPeer: false, at: now)
        default: return breach()
        }
    }

    /// The deadline of the current state has passed.
    mutating func lasted(at now: ContinuousClock.Instant) -> [RequesterEffect] {
        switch state {
        case .codeShown(let run, approver: _): miss(run, tellingPeer: true, at: now)
        case .joined, .revealed, .missed, .asked, .receiving, .concluding: end(.timedOut, saying: .timedOut)
        case .ended: []
        }
    }

    /// The approver ended the link; its reason is believed only when it is authenticated.
    mutating func ended(saying reason: EndReason) -> [RequesterEffect] {
        guard trust != nil else { return end(.gone(said: reason), saying: nil) }
        return end(reason == .declined ? .declined(by: nil) : .refused(reason), saying: nil)
    }
}
