public import Countersign
public import CountersignWire

extension Polling {
    /// The next step of a machine that was woken.
    public enum Due: Sendable, Equatable {
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

    /// The outcome of one token request.
    public enum Answer: Sendable, Equatable {
        /// The person has not decided; `held` is how long the server says that it waited, `showing` the number that the
        /// screen has to show, `link` the newest mark of the link, where it changes.
        case pending(held: WaitPreference?, showing: VerificationNumber? = nil, link: LinkMark? = nil)
        /// The person has not decided, and requests come too often. `retryIn` says when the next may come, in place of
        /// a longer interval; `retryAfter` how long the next one has to wait at least.
        case slowDown(retryIn: RetryAfter?, retryAfter: RetryAfter? = nil)
        /// The person approved, and this is what the server gives.
        case granted(Granted)
        /// The person refused.
        case denied(Refusal)
        /// The code is over, by the server's word.
        case expired(Refusal)
        /// The server refuses for another reason, which is final.
        case refused(Refusal)
        /// The answer is not one of a token endpoint.
        case unreadable(because: String)
        /// There was no usable answer; the next attempt may succeed.
        case failed(TemporaryFailure, retryAfter: RetryAfter?)
    }

    /// The next step after an answer.
    public enum Next: Sendable, Equatable {
        /// Wake the machine at this instant.
        case rest(until: ContinuousClock.Instant)
        /// Tell the person about the failure, and wake the machine at this instant.
        case retry(after: TemporaryFailure, at: ContinuousClock.Instant)
        /// The code has expired and may be replaced: request a new one, then call ``Polling/renew(with:at:)``.
        case renew
        /// The machine has ended: the person approved.
        case granted(Granted)
        /// The machine has ended without anything granted.
        case ended(Ending)
        /// No answer was expected.
        case nothing
    }

    /// The end of polling without a grant, in the server's words.
    public enum Ending: Sendable, Equatable {
        /// The person refused.
        case denied(Refusal)
        /// The person did not decide in time.
        case expired(Refusal)
        /// The server says no for another reason.
        case refused(Refusal)
        /// The answer is not one of a token endpoint.
        case unreadable(because: String)
    }
}

extension Polling.Answer {
    /// Maps a failure of the network; `nil` when the task was cancelled.
    init?(_ error: TransportError) {
        if let temporaryFailure = error.temporaryFailure {
            self = .failed(temporaryFailure, retryAfter: nil)
        } else if error.code == .cancelled {
            return nil
        } else {
            self = .unreadable(because: error.description)
        }
    }
}

/// Why this screen cannot use the server for now.
public enum TemporaryFailure: String, Sendable, Hashable, CaseIterable {
    /// There is no way to the server.
    case notReachable
    /// The certificate of whatever answers there could not be verified, as on a network that wants a log-in page first.
    case notTrusted
    /// A request was sent, and its answer was lost: the connection broke, or the server took too long.
    case interrupted
    /// The server has too much to do.
    case busy
    /// The server has a fault.
    case serverFault
}
