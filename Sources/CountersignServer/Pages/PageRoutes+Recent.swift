internal import Hummingbird
internal import FoundationEssentialsCompat

/// Changes of the ways to sign in need a recent sign-in, which protects an open browser.
extension PageRoutes {
    /// The maximum age of a sign-in for such changes, in seconds.
    static let recent: TimeInterval = 300

    /// Whether the sign-in of a person is recent. An approval on another device is no sign-in in this browser.
    func isRecent(_ visitor: SignedInVisitor, at now: Date) -> Bool {
        visitor.session.authentication != .crossDevice
            && (0...Self.recent).contains(now.timeIntervalSince(visitor.session.authenticated))
    }

    /// Redirects the person to the sign-in, and then to `path`.
    ///
    /// - Parameter reason: The reason; a change of the ways to sign in by default.
    func signInAgain(before path: String, because reason: LoginPage.ReauthenticationReason = .recent) -> Response {
        var query = Form()
        query[LoginPage.ReauthenticationReason.field] = reason.rawValue
        query["return_to"] = path
        return redirect(to: "/login?\(query.encoded)")
    }
}
