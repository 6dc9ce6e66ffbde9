public import Countersign
public import CountersignWire

extension Polling {
    /// What to do when the machine was woken.
    public enum Due: Sendable, Equatable {
        /// Send a token request, and ask the server to hold it open if a time is given.
        case ask(DeviceCode, holding: WaitPreference?)
        /// It is too early: wake it again at this instant.
        case rest(until: ContinuousClock.Instant)
        /// The code is over and may be replaced: ask for a new one, then call ``Polling/renew(with:at:)``.
        case renew
        /// The code is over, and that was the last one.
        case expired
        /// A request is under way, or the machine has ended.
        case nothing
    }

    /// How one token request came out.
    public enum Answer: Sendable, Equatable {
        /// Nobody has decided; `held` is what the server says it waited.
        case pending(held: WaitPreference?)
        /// Nobody has decided, and requests come too often; `retryIn` is when the next may come, if the server says so.
        case slowDown(retryIn: RetryAfter?)
        case granted(Granted)
        case denied(Refusal)
        case expired(Refusal)
        /// The server says no for another reason; that is final.
        case refused(Refusal)
        /// What came is no answer of a token endpoint.
        case unreadable(because: String)
        /// No usable answer came, which may be better next time.
        case failed(Trouble, retryAfter: RetryAfter?)
    }

    /// What to do after an answer.
    public enum Next: Sendable, Equatable {
        /// Wake the machine at this instant.
        case rest(until: ContinuousClock.Instant)
        /// Tell the person that there is trouble, and wake the machine at this instant.
        case retry(after: Trouble, at: ContinuousClock.Instant)
        /// The code is over and may be replaced: ask for a new one, then call ``Polling/renew(with:at:)``.
        case renew
        case granted(Granted)
        case ended(Ending)
        /// No answer was awaited.
        case nothing
    }

    /// How waiting ends without anything granted, in the server's words.
    public enum Ending: Sendable, Equatable {
        case denied(Refusal)
        case expired(Refusal)
        case refused(Refusal)
        case unreadable(because: String)
    }
}

extension Polling.Answer {
    /// Reads a failure of the network; `nil` when the task was cancelled.
    init?(_ error: TransportError) {
        if let trouble = error.trouble {
            self = .failed(trouble, retryAfter: nil)
        } else if error.code == .cancelled {
            return nil
        } else {
            self = .unreadable(because: error.description)
        }
    }
}

/// What stands between this screen and the server, for now.
public enum Trouble: String, Sendable, Hashable, CaseIterable {
    /// There is no way to the server.
    case notReachable
    /// Whoever answers there could not prove to be the server, as on a network that wants a log-in page first.
    case notTrusted
    /// The server took too long, or the connection broke while it was asked.
    case interrupted
    /// The server has too much to do.
    case busy
    /// The server has a fault.
    case serverFault
}
