internal import Countersign
internal import CountersignWire
internal import Foundation
internal import Logging

/// A poll that is held open until its request is decided, its time is over, or its client is gone.
///
/// Holding a poll takes the same steps however it is carried: ``begin(presence:)``, then a look at the request, since the
/// decision may have come before, then a wait for the end, then ``step(after:)``. ``TokenService/hold(_:for:)`` takes them
/// in the task of a request; ``FastPathHandler`` takes them at the connection, by ``ConnectionHeldPoll``, without a task.
final class HeldPoll: Sendable {
    /// What comes after a wait.
    enum Step: Sendable {
        /// The request took a step: look at it again.
        case look
        /// There is nothing to say but that the request waits; whether the whole preference was honoured.
        case pending(isWhole: Bool)
        case expired
    }

    let poll: DeviceCodeGrant.Poll
    /// How long the client wants to wait, and may.
    let preference: WaitPreference
    private let id: SignInRequest.ID
    private let deadline: Date
    /// When the wait is over, measured by a clock that is never set.
    private let end: ContinuousClock.Instant
    private let waits: DecisionWaits
    private let polls: PollTimes
    private let clock: TimeSource

    init(
        _ poll: DeviceCodeGrant.Poll,
        _ pending: DeviceCodeGrant.Pending,
        _ preference: WaitPreference,
        waits: DecisionWaits,
        polls: PollTimes,
        clock: TimeSource
    ) {
        self.poll = poll
        self.preference = preference
        self.waits = waits
        self.polls = polls
        self.clock = clock
        (id, deadline) = (pending.id, pending.deadline)
        let rest = pending.deadline.timeIntervalSince(clock.now())
        end = clock.instant() + .seconds(min(Double(preference.seconds), rest))
    }

    /// How much of the wait is left.
    var rest: Duration { end - clock.instant() }

    /// Begins to wait, which ends an earlier wait for the same request; `nil` when too many wait, or the server stops.
    func begin(presence: ClientPresence? = nil) -> Waiting? { waits.begin(id, presence: presence) }

    /// Ends a wait.
    func end(_ waiting: Waiting) { waits.end(waiting) }

    /// Lets the client ask again at once.
    func forgetPoll() { polls.forget(id) }

    /// What comes after a wait that ended for this reason.
    func step(after end: Waiting.End) -> Step {
        switch end {
        case .changed: return .look
        case .superseded: return .pending(isWhole: false)
        case .left:
            forgetPoll()
            return .pending(isWhole: false)
        case .timeOver:
            forgetPoll()
            return clock.now() < deadline ? .pending(isWhole: true) : .expired
        }
    }
}

extension TokenService {
    /// What a poll that was to be held open is answered in the end.
    struct Settled: Sendable {
        let verdict: Verdict
        /// The preference that was honoured.
        var applied: WaitPreference?
        /// Whether the poll was held open at all.
        var wasHeld = false
    }

    /// Holds a poll in the task of its request.
    func hold(_ held: HeldPoll, for presence: ClientPresence) async -> Settled {
        var wasHeld = false
        while let waiting = held.begin(presence: presence) {
            defer { held.end(waiting) }
            wasHeld = true
            if presence.hasLeft { break }
            if let settled = await look(at: held) { return settled }
            let end = await waiting.end(within: held.rest, by: server.clock)
            if let settled = settled(held, after: end) { return settled }
        }
        return Settled(verdict: .pending, wasHeld: wasHeld)
    }

    /// Looks at the request of a poll that is held; `nil` when there is still nothing but to wait.
    func look(at held: HeldPoll) async -> Settled? {
        do {
            // What the client is allowed is decided by its registration of this moment.
            let client = try await server.clients.current(held.poll.client)
            switch try await redeem(held.poll, for: client) {
            case .granted(let answer):
                return Settled(verdict: issued(answer, held.poll.dialect), applied: held.preference, wasHeld: true)
            case .pending(let pending):
                guard pending.awaitsLink else { return nil }
                // The screen may ask again at once, and then name its link.
                held.forgetPoll()
                return Settled(verdict: .pending, wasHeld: true)
            }
        } catch {
            let verdict = await refusal(error, in: held.poll.dialect, from: held.poll.address)
            return Settled(verdict: verdict, applied: held.preference, wasHeld: true)
        }
    }

    /// What a held poll is answered after its wait ended for this reason; `nil` when it has to be looked at again.
    func settled(_ held: HeldPoll, after end: Waiting.End) -> Settled? {
        switch held.step(after: end) {
        case .look: return nil
        case .pending(let isWhole):
            return Settled(verdict: .pending, applied: isWhole ? held.preference : nil, wasHeld: true)
        case .expired:
            let refused = DeviceCodeRefused(.expired, because: "the code expired while its client waited")
            let verdict = Verdict.refused(refused.error(in: held.poll.dialect))
            return Settled(verdict: verdict, applied: held.preference, wasHeld: true)
        }
    }

    /// Whether the request of a poll that is held still waits, as far as is in memory.
    func isStillPending(_ held: HeldPoll) -> Bool {
        let pending = try? server.store.cached { try deviceCode.pending(held.poll, in: $0) }
        return pending??.awaitsLink == false
    }
}

/// A poll that is held at its connection.
struct ConnectionHeldPoll: FastPathWait {
    let held: HeldPoll
    let tokens: TokenService

    var rest: Duration { held.rest }
    var isPending: Bool { tokens.isStillPending(held) }

    func begin() -> Waiting? { held.begin() }
    func end(_ waiting: Waiting) { held.end(waiting) }

    func look(_ logger: Logger) async -> JSONAnswer? {
        await tokens.look(at: held).map { TokenEndpoint.answer($0, logger: logger) }
    }

    func answer(after end: Waiting.End, _ logger: Logger) -> JSONAnswer? {
        tokens.settled(held, after: end).map { TokenEndpoint.answer($0, logger: logger) }
    }

    func answerWithoutWaiting(_ logger: Logger) -> JSONAnswer {
        TokenEndpoint.answer(TokenService.Settled(verdict: .pending), logger: logger)
    }
}
