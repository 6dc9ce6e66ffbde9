internal import Countersign

/// Decides which ways of a sign-in run when: the strongest first, and the code after a delay.
///
///     presenting ──refuse──▶ presenting … opening ──open──▶ running ──open──▶ running …
///         └──────────────────── finish, end ──────────────────┴──────────────▶ over
///
/// Proofs that need no other person are presented alone, one after another, before there is a request at the server. Then
/// phones nearby, the browser and push messages run at once, as far as the server allows them. The code joins after a
/// delay, or as soon as nothing stronger runs.
///
/// It is a value without clock or network: its driver passes in the time and does what each event returns.
struct WaySchedule: Sendable, Equatable {
    /// The states of the schedule.
    enum State: Sendable, Equatable {
        /// A proof is being presented, by its place in the list.
        case presenting(Int)
        /// The request at the server is being made.
        case opening
        /// The ways that run, the code only once it is shown; `codeAt` is the instant to show it.
        case running(Set<SignInWay>, codeAt: ContinuousClock.Instant?)
        /// The sign-in has a result, or no way is left.
        case over
    }

    /// The next step of the driver.
    enum Step: Sendable, Equatable {
        /// Present the proof at this place of the list.
        case present(Int)
        /// Make the request at the server, then call ``WaySchedule/open(allowing:at:)``.
        case open
        /// Start these ways; the code is to be shown where it is among them.
        case start(Set<SignInWay>)
        /// Wait for the next event.
        case wait
        /// No way is left: the sign-in has failed.
        case fail
    }

    /// The number of proofs to present first.
    let proofs: Int
    /// The ways that the screen can take, and the app wants.
    let ways: Set<SignInWay>
    /// The time that stronger ways run without the code.
    let codeDelay: Duration
    /// The way that runs without the others where the server allows it, because the person is known; `nil` for none.
    var alone: SignInWay?
    private(set) var state = State.opening
    /// Whether a request was made before: its browser and push message are not repeated with a new code.
    private var isRenewed = false

    init(proofs: Int, ways: Set<SignInWay>, codeDelay: Duration) {
        self.proofs = proofs
        self.ways = ways
        self.codeDelay = codeDelay
    }

    /// Begins with the first proof, or else with the request.
    mutating func begin() -> Step { present(0) }

    /// Goes on after a proof was not accepted.
    mutating func refuse() -> Step {
        guard case .presenting(let place) = state else { return .wait }
        return present(place + 1)
    }

    /// Starts the ways of a new request: of the first one, or of one whose code replaces an expired code.
    ///
    /// - Parameters:
    ///   - allowed: The ways that the server allows.
    ///   - now: The instant of the answer.
    mutating func open(allowing allowed: Set<SignInWay>, at now: ContinuousClock.Instant) -> Step {
        guard state != .over else { return .wait }
        let wanted = isRenewed ? ways.subtracting([.browser, .push]) : ways
        isRenewed = true
        var running = wanted.intersection(allowed)
        if let alone, running.contains(alone) { running = [alone] }
        guard !running.isEmpty else {
            state = .over
            return .fail
        }
        let stronger = running.subtracting([.code])
        let waits = running.contains(.code) && !stronger.isEmpty && codeDelay > .zero
        state = .running(waits ? stronger : running, codeAt: waits ? now + codeDelay : nil)
        return .start(waits ? stronger : running)
    }

    /// The instant to call ``wake(at:)``; `nil` when there is nothing to wait for.
    var codeAt: ContinuousClock.Instant? {
        if case .running(_, let codeAt) = state { codeAt } else { nil }
    }

    /// Shows the code once its delay is over.
    mutating func wake(at now: ContinuousClock.Instant) -> Step {
        guard case .running(let running, let codeAt?) = state, now >= codeAt else { return .wait }
        state = .running(running.union([.code]), codeAt: nil)
        return .start([.code])
    }

    /// Goes on after a way has ended without a decision.
    mutating func end(_ way: SignInWay) -> Step {
        guard case .running(var running, let codeAt) = state, running.remove(way) != nil else { return .wait }
        state = .running(running, codeAt: codeAt)
        guard running.isEmpty else { return .wait }
        guard codeAt != nil else {
            state = .over
            return .fail
        }
        state = .running([.code], codeAt: nil)
        return .start([.code])
    }

    /// Ends the schedule, because the sign-in has a result.
    mutating func finish() { state = .over }

    private mutating func present(_ place: Int) -> Step {
        if place < proofs {
            state = .presenting(place)
            return .present(place)
        }
        guard !ways.isEmpty else {
            state = .over
            return .fail
        }
        state = .opening
        return .open
    }
}
