internal import CountersignWire
internal import Hummingbird
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Changes of how a person signs in need a fresh sign-in, so that a browser that was left open changes nothing.
extension PageRoutes {
    /// The time after a sign-in for a person to change how they sign in, in seconds.
    static let recent: TimeInterval = 300

    /// Whether a person signed in just now.
    func isRecent(_ visitor: SignedInVisitor, at now: Date) -> Bool {
        (0...Self.recent).contains(now.timeIntervalSince(visitor.session.authenticated))
    }

    /// Sends the person to sign in once more, and then to `path`.
    ///
    /// - Parameter reason: Why; because they change how they sign in, by default.
    func signInAgain(before path: String, because reason: LoginPage.ReauthenticationReason = .recent) -> Response {
        var query = Form()
        query[LoginPage.ReauthenticationReason.field] = reason.rawValue
        query["return_to"] = path
        return redirect(to: "/login?\(query.encoded)")
    }
}
