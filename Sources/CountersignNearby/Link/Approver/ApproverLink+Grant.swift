// The states after the requester is authenticated.
extension ApproverLink {
    /// Takes `request`, whose digest must be the one in `ask`.
    ///
    /// - Parameter spare: The run that a paired end may still be asked a code of; `nil` when there is none.
    mutating func awaitingRequest(
        _ asked: Question,
        spare: Run?,
        receives message: LinkMessage,
        at now: ContinuousClock.Instant
    ) -> [ApproverEffect] {
        guard case .request(let salt, let body) = message,
            RequestBody.digest(of: body, salt: salt) == asked.ask.requestDigest,
            let request = RequestBody.parsed(body, as: asked.ask.kind)
        else { return breach() }
        return askForDecision(asked, request, spare: spare, at: now)
    }

    /// Asks the app, for a request of a requester that is authenticated.
    ///
    /// - Parameter spare: The run that a paired end may still be asked a code of; `nil` when there is none.
    mutating func askForDecision(
        _ asked: Question,
        _ request: NearbyRequest,
        spare: Run?,
        at now: ContinuousClock.Instant
    ) -> [ApproverEffect] {
        guard let trust else { return breach() }
        state = .deciding(asked, request, spare: spare)
        stateEnds = now + terms.times.allowedDecision
        return [
            .askForDecision(
                ReceivedRequest(
                    request: request, trust: trust, name: asked.ask.name,
                    wantsPairing: asked.ask.wantsPairing, address: terms.address, link: link,
                    canAskForCode: spare != nil))
        ]
    }

    /// The app has decided.
    ///
    /// - Parameter spare: The run that a paired end may still be asked a code of; `nil` when there is none.
    mutating func decided(
        _ decision: NearbyDecision,
        _ asked: Question,
        _ request: NearbyRequest,
        spare: Run?,
        at now: ContinuousClock.Instant
    ) -> [ApproverEffect] {
        switch decision {
        case .approve(.bytes(let bytes), let pairs) where request.kind == .bytes:
            guard bytes.count <= LinkMessage.longestGrant else {
                return end(.left(.grantTooLarge), saying: .grantTooLarge)
            }
            return approve(bytes, LinkDigest(of: bytes), asked, pairs: pairs, at: now)
        case .approve(.atServer, let pairs) where request.kind == .server:
            return approve([], .zero, asked, pairs: pairs, at: now)
        case .approve:
            // The app gave another kind of grant than requested, which the requester cannot use.
            return end(.left(.answeredElsewhere), saying: .answeredElsewhere)
        case .decline:
            let message = LinkMessage.Decision(
                approves: false, pairs: false, name: terms.name, total: 0, digest: .zero)
            state = .ended
            stateEnds = nil
            return [.send(.decision(message)), .end(.declined)]
        case .askForCode:
            guard let spare else { return end(.left(.answeredElsewhere), saying: .answeredElsewhere) }
            var asked = asked
            asked.request = request
            return askForCode(asked, spare, at: now)
        case .notNow: return end(.left(.notNow), saying: .notNow)
        case .refuse(let refusal): return end(.left(refusal.reason), saying: refusal.reason)
        }
    }

    /// Announces the grant; each part is sent when the one before was written.
    private mutating func approve(
        _ bytes: [UInt8],
        _ digest: LinkDigest,
        _ asked: Question,
        pairs: Bool,
        at now: ContinuousClock.Instant
    ) -> [ApproverEffect] {
        let decision = LinkMessage.Decision(
            approves: true, pairs: pairs, name: terms.name, total: bytes.count, digest: digest)
        let sending = Sending(asked: asked.ask, pairs: pairs, bytes: bytes)
        if bytes.isEmpty {
            state = .awaitingDone(sending)
            stateEnds = now + terms.times.done
        } else {
            state = .sending(sending)
            stateEnds = now + terms.times.part
        }
        return [.send(.decision(decision))]
    }

    /// Sends the next part.
    mutating func send(_ sending: Sending, at now: ContinuousClock.Instant) -> [ApproverEffect] {
        var sending = sending
        let end = min(sending.sent + LinkMessage.longestPart, sending.bytes.count)
        let part = Array(sending.bytes[sending.sent..<end])
        sending.sent = end
        if end == sending.bytes.count {
            state = .awaitingDone(sending)
            stateEnds = now + terms.times.done
        } else {
            state = .sending(sending)
            stateEnds = now + terms.times.part
        }
        return [.send(.part(part))]
    }

    /// Takes `done`, the last message of a requester that has the whole grant.
    mutating func awaitingDone(_ sending: Sending, receives message: LinkMessage) -> [ApproverEffect] {
        guard case .done(let paired) = message, let trust else { return breach() }
        state = .ended
        stateEnds = nil
        let keeps = paired && sending.pairs && sending.asked.wantsPairing
        return (keeps ? [.keepPairing(named: sending.asked.name)] : []) + [.end(.approved(trust, paired: keeps))]
    }
}
