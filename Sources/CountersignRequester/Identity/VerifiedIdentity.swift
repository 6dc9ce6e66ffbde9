public import Countersign
public import CountersignWire

/// The person who signed in, from a verified statement of the server.
///
/// It is made only by verifying an ID token, as ``IdentityVerifier`` does for other programs, and by reading one that
/// was stored after that. Names are shortened to 100 characters and made safe to show. Identify the person by
/// ``issuer`` and ``subject`` together: names and addresses can change, and two people can have the same name.
///
/// ```swift
/// let signedIn = try await signIn.run { identity in
///     await screen.ask("Continue as \(identity.displayName)?") ? .continue : .notMe
/// }
/// ```
public struct VerifiedIdentity: Sendable, Hashable {
    /// The server that made the statement.
    public let issuer: String
    /// The person's identifier at that server.
    public let subject: Subject
    /// The person's name, safe to show; `nil` if unknown.
    public let name: String?
    /// The person's user name at the provider, safe to show; `nil` if unknown.
    public let username: String?
    /// The person's e-mail address, safe to show; `nil` if unknown.
    public let email: String?
    /// The proofs of the approval, if the server is Countersign; `nil` if unknown.
    public let evidence: EvidenceClaim?

    /// The name to show for the person: the name, else the user name, the e-mail address or the identifier.
    public var displayName: String {
        name ?? username ?? email ?? Self.presentable(subject.rawValue) ?? "?"
    }

    /// Takes over the claims of a token; only ``IDTokenVerifier`` calls it, after it has verified the token.
    init(verified claims: IDTokenClaims) {
        self.init(
            issuer: claims.issuer,
            subject: claims.subject,
            name: Self.presentable(claims.name),
            username: Self.presentable(claims.preferredUsername),
            email: Self.presentable(claims.email),
            evidence: claims.evidence
        )
    }

    /// An identity that was verified before and stored since.
    package init(
        restoring issuer: String, subject: Subject, name: String?, username: String?, email: String?,
        evidence: EvidenceClaim? = nil
    ) {
        self.init(issuer: issuer, subject: subject, name: name, username: username, email: email, evidence: evidence)
    }

    private init(
        issuer: String, subject: Subject, name: String?, username: String?, email: String?, evidence: EvidenceClaim?
    ) {
        self.issuer = issuer
        self.subject = subject
        self.name = name
        self.username = username
        self.email = email
        self.evidence = evidence
    }

    private static func presentable(_ text: String?) -> String? {
        text.flatMap { DeviceAuthorizationRequest.presentable($0, upTo: 100) }
    }
}
