public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Waits for a person's decision by asking again and again, as often as the server allows.
///
///     resting ──wake──▶ asking ──receive──▶ resting … ended
///        └─wake, code over─▶ renewing ──renew──▶ resting
///
/// A value without clock or network: whoever drives it hands in the time and does what each event returns. What is
/// granted, and in which words a server refuses, is up to the protocol: see ``DeviceAuthorizationPolling`` and
/// ``CrossPlatformPolling``.
///
/// - Rests are counted on the clock that only runs, from the end of one request to the start of the next, so no jump
///   of the wall clock makes a burst of requests or an endless rest.
/// - The code's life is counted on that clock too, from the receipt of the code. The date that a screen shows follows
///   the wall clock: see ``deadline(at:)``.
/// - A machine that slept through the end of a code asks once more before it gives the code up.
///
/// Standard: RFC 8628 §3.4, §3.5; ETSI TS 103 407 §8.4.1.2; RFC 7240 §4.3 for requests that the server holds open.
public struct Polling<Granted: Sendable & Equatable, Refusal: Sendable & Equatable>: Sendable, Equatable {
    /// Where the machine stands.
    enum State: Sendable, Equatable {
        case resting(PollingCodes, until: ContinuousClock.Instant)
        case asking(PollingCodes, since: ContinuousClock.Instant)
        case renewing(left: Int)
        case ended
    }

    /// What bounds the machine.
    public let rules: PollingRules
    private(set) var state: State

    /// Begins to wait for the decision about `code`, received at `now`.
    ///
    /// - Throws: ``PollingCodesRefused`` when the server's numbers make no sense.
    public init(
        for code: AwaitedCode,
        under rules: PollingRules,
        at now: Moment
    ) throws(PollingCodesRefused) {
        self.rules = rules
        let codes = try PollingCodes(code, received: now, under: rules, renewalsLeft: rules.renewals)
        state = .resting(codes, until: codes.firstRequest(after: now.instant))
    }

    /// It may be time for the next request: tells what to do.
    public mutating func wake(at now: Moment) -> Due {
        switch state {
        case .resting(var codes, let until):
            guard now.instant >= until else { return .rest(until: until) }
            guard until < codes.end else { return giveUp(codes) }
            codes.isUnasked = false
            state = .asking(codes, since: now.instant)
            return .ask(codes.deviceCode, holding: codes.waitNow)
        case .asking, .renewing, .ended:
            return .nothing
        }
    }

    /// Whether the machine rests before the first request with a code, so that ``hasten(at:)`` has an effect.
    public var mayBeHastened: Bool {
        if case .resting(let codes, _) = state { codes.isUnasked } else { false }
    }

    /// Somebody who may decide in a moment has the code: its first request need not rest. Those after it do, since an
    /// interval is what lies between two of them.
    ///
    /// Standard: RFC 8628 §3.5.
    public mutating func hasten(at now: Moment) {
        guard case .resting(let codes, let until) = state, codes.isUnasked else { return }
        state = .resting(codes, until: min(until, now.instant))
    }

    /// The request that ``wake(at:)`` asked for has come to this end.
    public mutating func receive(_ answer: Answer, at now: Moment) -> Next {
        guard case .asking(var codes, let since) = state else { return .nothing }
        switch answer {
        case .granted(let granted):
            state = .ended
            return .granted(granted)
        case .denied(let refusal):
            state = .ended
            return .ended(.denied(refusal))
        case .refused(let refusal):
            state = .ended
            return .ended(.refused(refusal))
        case .unreadable(let reason):
            state = .ended
            return .ended(.unreadable(because: reason))
        case .expired(let refusal):
            return next(giveUp(codes), saying: refusal)
        case .pending(let held):
            codes.failures = 0
            return rest(codes, until: codes.nextRequest(since: since, held: held != nil, at: now.instant))
        case .slowDown(let retryIn):
            codes.failures = 0
            let again = codes.slowDown(retryIn: retryIn, at: now.instant)
            return rest(codes, until: again)
        case .failed(let trouble, let retryAfter):
            codes.fail(by: trouble)
            return rest(codes, until: codes.retry(after: retryAfter, at: now.instant), after: trouble)
        }
    }

    /// A new code came in place of the one that expired.
    ///
    /// - Throws: ``PollingCodesRefused`` when the server's numbers make no sense; the machine has ended then.
    public mutating func renew(with code: AwaitedCode, at now: Moment) throws(PollingCodesRefused) {
        guard case .renewing(let left) = state else { return }
        state = .ended
        let codes = try PollingCodes(code, received: now, under: rules, renewalsLeft: left)
        state = .resting(codes, until: codes.firstRequest(after: now.instant))
    }

    /// Nobody wants the answer any more: nothing is asked from now on.
    public mutating func cancel() {
        state = .ended
    }

    /// When the code stops working, in words of the wall clock as it stands now; `nil` when no code is alive.
    ///
    /// When the wall clock was set in the meantime, this differs from what an earlier reading gave.
    public func deadline(at now: Moment) -> Date? {
        switch state {
        case .resting(let codes, until: _), .asking(let codes, since: _): now.date(at: codes.end)
        case .renewing, .ended: nil
        }
    }
}

extension Polling {
    private mutating func giveUp(_ codes: PollingCodes) -> Due {
        guard codes.renewalsLeft > 0 else {
            state = .ended
            return .expired
        }
        state = .renewing(left: codes.renewalsLeft - 1)
        return .renew
    }

    /// Rests, but not beyond the end of the code; a code that is over by now is given up.
    private mutating func rest(
        _ codes: PollingCodes,
        until instant: ContinuousClock.Instant,
        after trouble: Trouble? = nil
    ) -> Next {
        let until = min(instant, codes.end)
        state = .resting(codes, until: until)
        return trouble.map { .retry(after: $0, at: until) } ?? .rest(until: until)
    }

    private func next(_ due: Due, saying refusal: Refusal) -> Next {
        switch due {
        case .renew: .renew
        case .expired: .ended(.expired(refusal))
        case .ask, .rest, .nothing: .nothing
        }
    }
}
