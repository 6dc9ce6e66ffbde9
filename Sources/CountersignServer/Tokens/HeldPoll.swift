internal import Countersign
internal import CountersignWire
internal import Logging
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A poll that is held open until its request is decided, its time is over, or its client has disconnected.
///
/// The steps are: ``begin(presence:)``, then a check of the request, since the decision may have been made before, then
/// a wait for the end, then ``step(after:)``. ``TokenService/hold(_:in:)`` takes them in the task of a request;
/// ``ConnectionHeldPoll`` takes them at the connection, without a task.
final class HeldPoll: Sendable {
    /// The next step after a wait.
    enum Step: Sendable {
        /// The request changed: check it again.
        case look
        /// The request is still pending; `isWhole` if the whole preference was honoured.
        case pending(isWhole: Bool)
        case expired
    }

    let poll: PolledGrant.Poll
    /// The wait of the client: its preference, within the server's limit.
    let preference: WaitPreference
    /// The number that the screen shows while the poll is held.
    let number: VerificationNumber?
    private let link: FreshLink?
    private let id: SignInRequest.ID
    private let deadline: Date
    /// The end of the wait, measured by a clock that is never set.
    let end: ContinuousClock.Instant
    private let waits: ChangeWaiters
    private let polls: PollTimes
    private let clock: TimeSource

    init(
        _ poll: PolledGrant.Poll,
        _ pending: PolledGrant.Pending,
        _ preference: WaitPreference,
        waits: ChangeWaiters,
        polls: PollTimes,
        clock: TimeSource
    ) {
        self.poll = poll
        self.preference = preference
        self.waits = waits
        self.polls = polls
        self.clock = clock
        (id, deadline, number, link) = (pending.id, pending.deadline, pending.number, pending.link)
        let now = clock.now()
        // A screen that shows a new link each minute is answered when there is one.
        let rest = min(pending.deadline, pending.link?.next(after: now) ?? .distantFuture).timeIntervalSince(now)
        end = clock.instant() + .seconds(min(Double(preference.seconds), rest))
    }

    /// The number and the link that the screen has to show now.
    var screen: PendingScreen { PendingScreen(number: number, link: link?.mark(at: clock.now())) }

    /// Begins to wait, which ends an earlier wait for the same request; `nil` when there is no room for it, or the
    /// server stops.
    func begin(presence: ClientPresence? = nil) -> ChangeWaiter? {
        waits.begin(.signIn(id), from: poll.address, presence: presence)
    }

    /// Ends a wait.
    func end(_ waiting: ChangeWaiter) { waits.end(waiting, for: .signIn(id)) }

    /// Lets the client poll again at once.
    func forgetPoll() { polls.forget(id) }

    /// The next step after a wait that ended for this reason.
    func step(after end: ChangeWaiter.End) -> Step {
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
    /// The final answer to a poll that was to be held open.
    struct PollAnswer: Sendable {
        let verdict: Verdict
        /// The preference that was honoured.
        var applied: WaitPreference?
    }

    /// Holds a poll in the task of its request.
    func hold(_ held: HeldPoll, in context: ServerRequestContext) async -> PollAnswer {
        let presence = await ClientPresence.of(context.channel)
        while let waiting = held.begin(presence: presence) {
            defer { held.end(waiting) }
            context.noteHeld()
            if presence.hasLeft { break }
            if let settled = await look(at: held) { return settled }
            let end = await waiting.end(until: held.end)
            if let settled = settled(held, after: end) { return settled }
        }
        return PollAnswer(verdict: .pending(held.screen))
    }

    /// Checks the request of a held poll; `nil` when it is still pending.
    func look(at held: HeldPoll) async -> PollAnswer? {
        do {
            // The client's current registration decides what it is allowed.
            let client = try await clients.authentication.current(held.poll.client)
            switch try await redeem(held.poll, for: client) {
            case .granted(let answer):
                return PollAnswer(verdict: issued(answer, held.poll), applied: held.preference)
            case .repeated(let answer):
                return PollAnswer(verdict: .issued(answer), applied: held.preference)
            case .pending(let pending):
                let isNew = pending.number != held.number
                guard pending.awaitsLink || isNew else { return nil }
                // The screen may poll again at once, with the identifier of its link or the number that it shows then.
                held.forgetPoll()
                let applied = isNew ? held.preference : nil
                let screen = pending.screen(at: server.clock.now())
                return PollAnswer(verdict: .pending(screen), applied: applied)
            }
        } catch let error as StoreUnavailableError where error.code == .queueFull {
            // All held polls look at once when anything may have changed, which may be too many for the store.
            held.forgetPoll()
            return PollAnswer(verdict: .pending(held.screen))
        } catch {
            let verdict = await refusal(error, in: held.poll.dialect, from: held.poll.address)
            return PollAnswer(verdict: verdict, applied: held.preference)
        }
    }

    /// The answer to a held poll whose wait ended for this reason; `nil` when the request has to be checked again.
    func settled(_ held: HeldPoll, after end: ChangeWaiter.End) -> PollAnswer? {
        switch held.step(after: end) {
        case .look: return nil
        case .pending(let isWhole):
            let applied = isWhole ? held.preference : nil
            return PollAnswer(verdict: .pending(held.screen), applied: applied)
        case .expired:
            let refused = DeviceCodeError(.expired, because: "the code expired while its client waited")
            let verdict = Verdict.refused(refused.error(in: held.poll.dialect))
            return PollAnswer(verdict: verdict, applied: held.preference)
        }
    }

    /// Whether the request of a held poll is still pending, according to the cached rows.
    func isStillPending(_ held: HeldPoll) -> Bool {
        let pending = try? server.store.cached { try deviceCode.pending(held.poll, in: $0) }
        guard let pending = pending ?? nil else { return false }
        return !pending.awaitsLink && pending.number == held.number
    }
}

/// A poll that is held at its connection.
struct ConnectionHeldPoll: FastPathWait {
    let held: HeldPoll
    let service: TokenService

    var end: ContinuousClock.Instant { held.end }
    var isPending: Bool { service.isStillPending(held) }

    func begin() -> ChangeWaiter? { held.begin() }
    func end(_ waiting: ChangeWaiter) { held.end(waiting) }

    func look(_ logger: Logger) async -> JSONResponse? {
        await service.look(at: held).map { TokenEndpoint.answer($0, logger: logger) }
    }

    func answer(after end: ChangeWaiter.End, _ logger: Logger) -> JSONResponse? {
        service.settled(held, after: end).map { TokenEndpoint.answer($0, logger: logger) }
    }

    func answerWithoutWaiting(_ logger: Logger) -> JSONResponse {
        TokenEndpoint.answer(TokenService.PollAnswer(verdict: .pending(held.screen)), logger: logger)
    }
}
