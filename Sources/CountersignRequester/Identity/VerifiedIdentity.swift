public import Countersign
internal import CountersignWire

/// Who signed in, by the server's verified word.
///
/// Made only by verifying an ID token, and by reading back what was kept.
public struct VerifiedIdentity: Sendable, Hashable {
    /// The server that says so.
    public let issuer: String
    /// The person, as that server names them.
    public let subject: Subject
    /// The person's name, fit to be shown.
    public let name: String?
    /// What the person calls themselves at that server, fit to be shown.
    public let username: String?
    /// The person's e-mail address, fit to be shown.
    public let email: String?

    /// What to call the person on a screen: the name, or the next best that there is.
    public var displayName: String {
        name ?? username ?? email ?? Self.presentable(subject.rawValue) ?? "?"
    }

    /// Takes over what a token says; for ``IDTokenVerifier`` alone, once it has verified the token.
    init(verified claims: IDTokenClaims) {
        self.init(
            issuer: claims.issuer,
            subject: claims.subject,
            name: Self.presentable(claims.name),
            username: Self.presentable(claims.preferredUsername),
            email: Self.presentable(claims.email)
        )
    }

    /// An identity that was verified before and kept since.
    package init(
        restoring issuer: String,
        subject: Subject,
        name: String?,
        username: String?,
        email: String?
    ) {
        self.init(issuer: issuer, subject: subject, name: name, username: username, email: email)
    }

    private init(issuer: String, subject: Subject, name: String?, username: String?, email: String?) {
        self.issuer = issuer
        self.subject = subject
        self.name = name
        self.username = username
        self.email = email
    }

    private static func presentable(_ text: String?) -> String? {
        text.flatMap { DeviceAuthorizationRequest.presentable($0, upTo: 100) }
    }
}
