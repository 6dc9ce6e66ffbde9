public import FoundationEssentialsCompat

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

    /// Whether the server confirmed that the tokens have ended; if not, they work there until they expire, or the person
    /// ends the sign-in on the server's account page.
    public let isRevoked: Bool
    /// The session of the browser.
    public let session: Session
    /// The expiry of tokens that the server did not end, by this device's clock; `nil` when it ended them, and when it is
    /// not known, as where they could be refreshed.
    public let worksUntil: Date?

    init(isRevoked: Bool, session: Session, worksUntil: Date? = nil) {
        self.isRevoked = isRevoked
        self.session = session
        self.worksUntil = worksUntil
    }
}
