internal import Countersign
internal import CountersignWire

extension Polling {
    /// The next step of a machine that was woken.
    enum NextAction: Sendable, Equatable {
        /// Send a token request, and ask the server to hold it open if a time is given.
        case ask(DeviceCode, holding: WaitPreference?)
        /// It is too early: wake the machine again at this instant.
        case rest(until: ContinuousClock.Instant)
        /// The code has expired and may be replaced: request a new one, then call ``Polling/renew(with:at:)``.
        case renew
        /// The code has expired, and it was the last one.
        case expired
        /// A request is under way, or the machine has ended.
        case nothing
    }

    /// The next step after an answer.
    enum Next: Sendable, Equatable {
        /// Wake the machine at this instant.
        case rest(until: ContinuousClock.Instant)
        /// Show the failure to the person, and wake the machine at this instant.
        case retry(after: TemporaryFailure, at: ContinuousClock.Instant)
        /// The code has expired and may be replaced: request a new one, then call ``Polling/renew(with:at:)``.
        case renew
        /// The machine has ended: the person approved.
        case granted(Granted)
        /// The machine has ended without anything granted, for this reason.
        case ended(SignInError)
        /// No answer was expected.
        case nothing
    }
}
