internal import Countersign
internal import CountersignWire
internal import Foundation

/// A poll that is held open until its request is decided, its time is over, or its client has disconnected.
///
/// The steps are: ``begin(presence:)``, then a check of the request, since the decision may have been made before, then
/// a wait for the end, then ``step(after:)``. ``TokenService/hold(_:in:)`` takes them in the task of a request;
/// ``FastPathHandler`` takes them at the connection, with ``ConnectionHeldPoll``, without a task.
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
    /// How long the client waits: its preference, within the server's limit.
    let preference: WaitPreference
    /// The number that the screen shows while the poll is held.
    let number: VerificationNumber?
    private let link: FreshLink?
    private let id: SignInRequest.ID
    private let deadline: Date
    /// When the wait is over, measured by a clock that is never set.
    let end: ContinuousClock.Instant
    private let waits: ChangeWaiters<SignInRequest.ID>
    private let polls: PollTimes
    private let clock: TimeSource

    init(
        _ poll: PolledGrant.Poll,
        _ pending: PolledGrant.Pending,
        _ preference: WaitPreference,
        waits: ChangeWaiters<SignInRequest.ID>,
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

    /// What the screen has to show now.
    var screen: PendingScreen { PendingScreen(number: number, link: link?.mark(at: clock.now())) }

    /// Begins to wait, which ends an earlier wait for the same request; `nil` when too many requests wait, or the
    /// server stops.
    func begin(presence: ClientPresence? = nil) -> ChangeWaiter? { waits.begin(id, presence: presence) }

    /// Ends a wait.
    func end(_ waiting: ChangeWaiter) { waits.end(waiting, for: id) }

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
