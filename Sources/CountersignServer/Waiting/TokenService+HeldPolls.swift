internal import Atomics
internal import Countersign
internal import CountersignWire
internal import Logging

extension TokenService {
    /// The final answer to a poll that was to be held open.
    struct Settled: Sendable {
        let verdict: Verdict
        /// The preference that was honoured.
        var applied: WaitPreference?
    }

    /// Holds a poll in the task of its request.
    func hold(_ held: HeldPoll, in context: ServerRequestContext) async -> Settled {
        let presence = await ClientPresence.of(context.channel)
        while let waiting = held.begin(presence: presence) {
            defer { held.end(waiting) }
            context.wasHeld.store(true, ordering: .relaxed)
            if presence.hasLeft { break }
            if let settled = await look(at: held) { return settled }
            let end = await waiting.end(until: held.end)
            if let settled = settled(held, after: end) { return settled }
        }
        return Settled(verdict: .pending(held.screen))
    }

    /// Checks the request of a held poll; `nil` when it is still pending.
    func look(at held: HeldPoll) async -> Settled? {
        do {
            // The client's current registration decides what it is allowed.
            let client = try await server.clients.current(held.poll.client)
            switch try await redeem(held.poll, for: client) {
            case .granted(let answer):
                return Settled(verdict: issued(answer, held.poll), applied: held.preference)
            case .repeated(let answer):
                return Settled(verdict: .issued(answer), applied: held.preference)
            case .pending(let pending):
                let isNew = pending.number != held.number
                guard pending.awaitsLink || isNew else { return nil }
                // The screen may poll again at once, with the identifier of its link or the number that it shows then.
                held.forgetPoll()
                let applied = isNew ? held.preference : nil
                let screen = pending.screen(at: server.clock.now())
                return Settled(verdict: .pending(screen), applied: applied)
            }
        } catch let error as StoreUnavailable where error.code == .queueFull {
            // All held polls look at once when anything may have changed, which may be too many for the store.
            held.forgetPoll()
            return Settled(verdict: .pending(held.screen))
        } catch {
            let verdict = await refusal(error, in: held.poll.dialect, from: held.poll.address)
            return Settled(verdict: verdict, applied: held.preference)
        }
    }

    /// The answer to a held poll whose wait ended for this reason; `nil` when the request has to be checked again.
    func settled(_ held: HeldPoll, after end: ChangeWaiter.End) -> Settled? {
        switch held.step(after: end) {
        case .look: return nil
        case .pending(let isWhole):
            let applied = isWhole ? held.preference : nil
            return Settled(verdict: .pending(held.screen), applied: applied)
        case .expired:
            let refused = DeviceCodeRefused(.expired, because: "the code expired while its client waited")
            let verdict = Verdict.refused(refused.error(in: held.poll.dialect))
            return Settled(verdict: verdict, applied: held.preference)
        }
    }

    /// Whether the request of a held poll is still pending, according to the cached rows.
    func isStillPending(_ held: HeldPoll) -> Bool {
        let pending = try? server.store.cached { try deviceCode.pending(held.poll, in: $0) }
        guard let pending = pending ?? nil else { return false }
        return !pending.awaitsLink && pending.number == held.number
    }
}
