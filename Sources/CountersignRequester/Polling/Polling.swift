internal import Countersign
internal import FoundationEssentialsCompat

/// Waits for a person's decision by polling, as often as the server allows.
///
///     resting ──wake──▶ asking ──receive──▶ resting … ended
///        └─wake, code over─▶ renewing ──renew──▶ resting
///
/// It is a value without clock or network: its driver passes in the time and does what each event returns. The grant
/// depends on the protocol, such as a ``CountersignWire/TokenResponse``; the answers are a ``PollResult`` in each.
///
/// - Intervals are measured on the monotonic clock, from the end of one request to the start of the next, so that
///   changes of the wall clock cause neither a burst of requests nor an endless wait.
/// - The code's life is measured on that clock too, from the receipt of the code. The date that a screen shows follows
///   the wall clock: see ``deadline(at:)``.
/// - A machine that slept through the end of a code asks once more before it gives the code up.
/// - When an answer was lost, the same request is repeated as soon as the interval allows: the lost answer may have
///   held the tokens, and a server repeats it for a short while only, if at all.
///
/// Standard: RFC 8628 §3.4, §3.5; ETSI TS 103 407 §8.4.1.2; RFC 7240 §4.3 for requests that the server holds open.
struct Polling<Granted: Sendable & Equatable>: Sendable, Equatable {
    /// The states of the machine.
    enum State: Sendable, Equatable {
        /// Waiting for the next request.
        case resting(PollingCodes, until: ContinuousClock.Instant)
        /// A request is under way.
        case asking(PollingCodes, since: ContinuousClock.Instant)
        /// A new code is being requested.
        case renewing(left: Int)
        /// Polling has ended.
        case ended
    }

    /// The limits of the machine.
    let rules: PollingRules
    private(set) var state: State

    /// Begins to wait for the decision about a code.
    ///
    /// - Throws: ``SignInError`` `bad_answer` when the server's numbers make no sense.
    init(for code: AwaitedCode, under rules: PollingRules, at now: Moment) throws(SignInError) {
        self.rules = rules
        let codes = try PollingCodes(code, received: now, under: rules, renewalsLeft: rules.renewals)
        state = .resting(codes, until: codes.firstRequest(after: now.instant))
    }

    /// Returns the next action; after ``NextAction/ask(_:holding:)`` the machine waits for ``receive(_:at:)``.
    mutating func wake(at now: Moment) -> NextAction {
        switch state {
        case .resting(var codes, let until):
            guard now.instant >= until else { return .rest(until: until) }
            guard until < codes.end else { return giveUp(codes) }
            codes.isUnpolled = false
            state = .asking(codes, since: now.instant)
            return .ask(codes.deviceCode, holding: codes.waitNow)
        case .asking, .renewing, .ended:
            return .nothing
        }
    }

    /// Whether the machine waits before the first request with a code, so that ``hasten(at:)`` has an effect.
    var canHasten: Bool {
        if case .resting(let codes, _) = state { codes.isUnpolled } else { false }
    }

    /// Ends the pause before the first poll with a code, when a person who may decide in a moment has the code. Later
    /// polls wait as before, since the interval is the time between two of them.
    ///
    /// Standard: RFC 8628 §3.5.
    mutating func hasten(at now: Moment) {
        guard case .resting(let codes, let until) = state, codes.isUnpolled else { return }
        state = .resting(codes, until: min(until, now.instant))
    }

    /// Takes in the outcome of the request that ``wake(at:)`` asked for.
    ///
    /// Standard: RFC 8628 §3.5; ETSI TS 103 407 §8.4.1.2.
    mutating func receive(_ result: PollResult<Granted>, at now: Moment) -> Next {
        guard case .asking(var codes, let since) = state else { return .nothing }
        switch result {
        case .granted(let granted):
            state = .ended
            return .granted(granted)
        case .denied(let error), .refused(let error):
            state = .ended
            return .ended(error)
        case .expired(let error):
            return giveUp(codes) == .renew ? .renew : .ended(error)
        case .pending(let held, showing: let number, link: let link):
            codes.failures = 0
            if let link { codes.link = link }
            codes.number = number
            return rest(codes, until: codes.nextRequest(since: since, held: held != nil, at: now.instant))
        case .slowDown(let retryIn, let retryAfter, description: _):
            codes.failures = 0
            let again = codes.slowDown(retryIn: retryIn, retryAfter: retryAfter, at: now.instant)
            return rest(codes, until: again)
        case .failed(let temporaryFailure, let retryAfter, because: _):
            codes.fail(by: temporaryFailure)
            let again = codes.retry(after: temporaryFailure, since: since, retryAfter: retryAfter, at: now.instant)
            return rest(codes, until: again, after: temporaryFailure)
        }
    }

    /// The number that the screen has to show, by the server's latest word; `nil` for none.
    var number: VerificationNumber? { codes?.number }

    /// The newest mark of the link, by the server's latest word; `nil` if the link is unchanged.
    var link: LinkMark? { codes?.link }

    /// Takes in the new code in place of the one that expired.
    ///
    /// - Throws: ``SignInError`` `bad_answer` when the server's numbers make no sense; the machine has ended then.
    mutating func renew(with code: AwaitedCode, at now: Moment) throws(SignInError) {
        guard case .renewing(let left) = state else { return }
        state = .ended
        let codes = try PollingCodes(code, received: now, under: rules, renewalsLeft: left)
        state = .resting(codes, until: codes.firstRequest(after: now.instant))
    }

    /// Ends the machine: it sends no further requests.
    mutating func cancel() {
        state = .ended
    }

    /// The expiry of the code, as a date for a screen.
    ///
    /// Setting the wall clock in the meantime changes the result from one reading to the next.
    func deadline(at now: Moment) -> Date? { codes.map { now.date(at: $0.end) } }
}

extension Polling {
    /// The code that is alive; `nil` when there is none.
    private var codes: PollingCodes? {
        switch state {
        case .resting(let codes, until: _), .asking(let codes, since: _): codes
        case .renewing, .ended: nil
        }
    }

    /// Replaces the expired code, if the rules allow another one.
    private mutating func giveUp(_ codes: PollingCodes) -> NextAction {
        guard codes.renewalsLeft > 0 else {
            state = .ended
            return .expired
        }
        state = .renewing(left: codes.renewalsLeft - 1)
        return .renew
    }

    /// Waits, but not beyond the end of the code; an expired code is given up at the next wake.
    private mutating func rest(
        _ codes: PollingCodes,
        until instant: ContinuousClock.Instant,
        after temporaryFailure: TemporaryFailure? = nil
    ) -> Next {
        let until = min(instant, codes.end)
        state = .resting(codes, until: until)
        return temporaryFailure.map { .retry(after: $0, at: until) } ?? .rest(until: until)
    }
}
