internal import Hummingbird
internal import FoundationEssentialsCompat

/// Changes of the ways to sign in need a recent sign-in, which protects an open browser, in a browser that is not signed
/// in until a chosen time only.
extension PageRoutes {
    /// The maximum age of a sign-in for such changes, in seconds.
    static let recent: TimeInterval = 300

    /// Refuses a change of the ways to sign in, or sends the person to the sign-in before it. An approval on another
    /// device is no sign-in in this browser. One with a role and a second factor proves two factors: a password alone
    /// must not add the passkey that the acts of administrators ask for.
    ///
    /// - Parameters:
    ///   - visitor: The person at their browser.
    ///   - path: The page to return to after the sign-in; the account by default.
    ///   - now: The current time.
    /// - Throws: ``LimitedBrowserError``; ``NotSignedInError`` after a sign-in that is not recent, or with one factor of
    ///   an administrator who has two; ``StoreUnavailableError``.
    func requireRecent(_ visitor: SignedInVisitor, before path: String = "/account", at now: Date) async throws {
        try visitor.requireLasting()
        let age = now.timeIntervalSince(visitor.session.authenticated)
        guard visitor.session.authentication != .crossDevice, (0...Self.recent).contains(age) else {
            throw NotSignedInError(target: path, reason: .recent)
        }
        guard visitor.person.role != .user, !visitor.session.authentication.hasTwoFactors else { return }
        if try await hasSecondFactor(visitor.person.subject) { throw NotSignedInError(target: path, reason: .stepUp) }
    }

    /// Redirects the person to the sign-in, and then to `path`.
    ///
    /// - Parameter reason: The reason for a new sign-in.
    func signInAgain(before path: String, because reason: LoginPage.ReauthenticationReason) -> Response {
        redirect(to: Self.signInAgain(before: path, because: reason))
    }

    /// The path of the sign-in that leads to `path`.
    ///
    /// - Parameter reason: The reason for a new sign-in.
    static func signInAgain(before path: String, because reason: LoginPage.ReauthenticationReason) -> String {
        var query = Form()
        query[LoginPage.ReauthenticationReason.field] = reason.rawValue
        query["return_to"] = path
        return "/login?\(query.encoded)"
    }
}
