/// An error that can indicate a temporary failure.
public protocol TransientError: Error {
    /// Whether the server was not reached, did not answer, or has failed: trying again later makes sense.
    var isTransient: Bool { get }
    /// Whether the account is locked at the server for now: the stored sign-in becomes valid again once it is unlocked.
    var isAccountLocked: Bool { get }
}

extension TransientError {
    /// No, if the error does not say.
    public var isAccountLocked: Bool { false }
}

extension TransportError: TransientError {
    /// Whether no answer came for a reason that passes: `false` for an answer that cannot be trusted or is too long,
    /// and after a cancellation.
    public var isTransient: Bool {
        switch code {
        case .notReached, .interrupted, .timedOut: true
        case .notTrusted, .tooLarge, .cancelled: false
        }
    }
}
