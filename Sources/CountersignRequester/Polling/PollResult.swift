internal import Countersign
internal import CountersignWire

/// The result of one request to a server that may have to wait for a person, in whatever protocol.
enum PollResult<Granted: Sendable & Equatable>: Sendable, Equatable {
    /// The person has not decided; `held` is the server's reported holding time, `showing` the number to show, `link`
    /// the newest mark of a changing link.
    case pending(held: WaitPreference?, showing: VerificationNumber? = nil, link: LinkMark? = nil)
    /// The person has not decided, and requests come too often. `retryIn` says when the next may come, in place of a
    /// longer interval; `retryAfter` how long the next one has to wait at least; `description` is the server's word
    /// about it.
    case slowDown(retryIn: RetryAfter?, retryAfter: RetryAfter? = nil, description: String? = nil)
    /// The server gives what was requested.
    case granted(Granted)
    /// The person refused.
    case denied(SignInError)
    /// The code has expired, according to the server.
    case expired(SignInError)
    /// The server refuses for another reason, or its answer makes no sense; that is final.
    case refused(SignInError)
    /// There was no usable answer; the next attempt may succeed.
    case failed(TemporaryFailure, retryAfter: RetryAfter?, because: String = "")
}

extension PollResult {
    /// An answer that makes no sense.
    static func unreadable(because reason: String) -> Self { .refused(SignInError(.badAnswer, because: reason)) }

    /// Maps a failure of the network. A network that cannot be trusted now may be another one in a minute.
    ///
    /// - Throws: ``SignInError`` `cancelled` when the task was cancelled.
    init(_ error: TransportError) throws(SignInError) {
        if let temporaryFailure = error.temporaryFailure {
            self = .failed(temporaryFailure, retryAfter: nil, because: error.description)
        } else if error.code == .cancelled {
            throw .taskCancelled
        } else {
            self = .unreadable(because: error.description)
        }
    }
}

/// The reason that this screen cannot use the server for now.
public enum TemporaryFailure: String, Sendable, Hashable, CaseIterable {
    /// There is no way to the server.
    case notReachable
    /// The server's certificate could not be verified, as behind a captive portal.
    case notTrusted
    /// A request was sent, and its answer was lost: the connection broke, or the server took too long.
    case interrupted
    /// The server has too much to do.
    case busy
    /// The server has a fault.
    case serverFault
}
