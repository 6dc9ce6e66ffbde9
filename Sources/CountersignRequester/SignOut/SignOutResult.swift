/// The outcome of signing out: the tokens, and the session of the browser.
public struct SignOutResult: Sendable, Equatable {
    /// The state of the person's session at the server in the browser of this device.
    public enum Session: Sendable, Equatable {
        /// No browser was named: it stays as it is.
        case untouched
        /// The browser came back: there is no session any more.
        case ended
        /// The server has no page for it, so it stays as it is.
        case notOffered
        /// It may still be there, for this reason: no page was opened, or the browser did not come back.
        case unconfirmed(SignInError)
    }

    /// Whether the server confirmed that the tokens have ended; if not, they work there until they expire.
    public let isRevoked: Bool
    /// The session of the browser.
    public let session: Session
}
