internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// A poll that is held open until its request is decided, its time is over, or its client has disconnected.
///
/// The steps are: ``begin(presence:)``, then ``look()``, since the decision may have been made before, then a wait for
/// the end, then ``result(after:)``. ``wait(in:)`` takes them in the task of a request; ``FastPathHandler`` takes them
/// at the connection, without a task.
final class HeldPoll: Sendable {
    private let service: TokenService
    private let poll: Poll
    /// The request as the client sees it while its poll is held.
    let pending: PendingRequest
    /// The preference of the client, within the server's limit.
    private let preference: WaitPreference
    /// The end of the wait, measured by a clock that is never set.
    let end: ContinuousClock.Instant

    var clock: TimeSource { service.core.clock }

    init(_ poll: Poll, _ pending: PendingRequest, _ preference: WaitPreference, by service: TokenService) {
        self.service = service
        self.poll = poll
        self.pending = pending
        self.preference = preference
        let clock = service.core.clock
        let now = clock.now()
        // A screen that shows a new link each minute is answered when there is one.
        let rest = min(pending.deadline, pending.link?.next(after: now) ?? .distantFuture).timeIntervalSince(now)
        end = clock.instant() + .seconds(min(Double(preference.seconds), rest))
    }

    /// Waits in the task of its request.
    func wait(in context: ServerRequestContext) async -> TokenResult {
        let presence = await ClientPresence.of(context.channel)
        while let waiting = begin(presence: presence) {
            defer { end(waiting) }
            context.noteHeld()
            if presence.hasLeft { break }
            if let result = await look() { return result }
            if let result = result(after: await waiting.end(until: end)) { return result }
        }
        return .pending(pending)
    }

    func begin() -> ChangeWaiter? { begin(presence: nil) }

    /// Begins to wait, which ends an earlier wait for the same request; `nil` when there is no room for it, or the
    /// server stops.
    private func begin(presence: ClientPresence?) -> ChangeWaiter? {
        service.tokens.waits.begin(.signIn(pending.id), from: poll.address, presence: presence)
    }

    func end(_ waiting: ChangeWaiter) { service.tokens.waits.end(waiting, for: .signIn(pending.id)) }

    /// Whether the request is still pending, according to the cached rows.
    var isPending: Bool {
        let found = try? service.core.store.cached { try service.polled.pending(poll, in: $0) }
        guard let found = found ?? nil else { return false }
        return !found.awaitsLink && found.number == pending.number
    }

    /// Checks the request in the store; `nil` when it is still pending.
    @inline(never)  // Its frame is large, and must not become part of a waiting task's frame.
    func look() async -> TokenResult? {
        do {
            // The client's current registration decides what it is allowed.
            var current = poll
            current.client = try await service.clients.authentication.current(poll.client)
            let result = try await service.redeem(current)
            guard case .pending(let found) = result else { return .waited(preference, result) }
            let isNew = found.number != pending.number
            guard found.awaitsLink || isNew else { return nil }
            // The screen may poll again at once, with the identifier of its link or the number that it shows then.
            letPollAgain()
            return isNew ? .waited(preference, result) : result
        } catch let error as StoreUnavailableError where error.code == .queueFull {
            // All held polls look at once when anything may have changed, which may be too many for the store.
            letPollAgain()
            return .pending(pending)
        } catch {
            return .waited(preference, await service.refusal(error, from: poll.address))
        }
    }

    /// The result after a wait that ended for this reason; `nil` when the request has to be checked again.
    func result(after end: ChangeWaiter.End) -> TokenResult? {
        switch end {
        case .changed: return nil
        case .superseded: return .pending(pending)
        case .left:
            letPollAgain()
            return .pending(pending)
        case .timeOver:
            letPollAgain()
            guard clock.now() < pending.deadline else {
                let error = PollError(.expired, because: "the code expired while its client waited")
                return .waited(preference, .refused(error))
            }
            return .waited(preference, .pending(pending))
        }
    }

    private func letPollAgain() { service.tokens.polls.forget(pending.id) }
}
