public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The secret in the session cookie of a browser.
public struct BrowserCookie: Secret {
    /// The value of the cookie.
    public let revealed: String
    /// Creates a cookie from the value that was minted or that a browser sent.
    public init(revealing text: String) { revealed = text }
}

/// A browser in which a person is signed in.
public struct BrowserSession: Sendable, Equatable {
    /// The digest of its cookie.
    public let cookie: SecretDigest
    /// Identifies the session as an approver of requests.
    public let id: ApproverID
    /// The person who is signed in.
    public let subject: Subject
    /// When the person authenticated.
    public let authenticated: Date
    /// How the person authenticated.
    public let authentication: Authentication
    /// When the session ends.
    public let expires: Date

    /// Creates a session to store.
    ///
    /// - Parameters:
    ///   - cookie: The digest of a new cookie.
    ///   - id: A new identifier, with which the session decides on requests.
    ///   - subject: The person who signed in.
    ///   - authenticated: When the person authenticated.
    ///   - expires: When the session ends.
    ///   - authentication: How the person authenticated; with their password by default.
    public init(
        cookie: SecretDigest,
        id: ApproverID,
        subject: Subject,
        authenticated: Date,
        expires: Date,
        by authentication: Authentication = .password
    ) {
        self.cookie = cookie
        self.id = id
        self.subject = subject
        self.authenticated = authenticated
        self.authentication = authentication
        self.expires = expires
    }

    /// What the person proved when they signed in.
    public var proofs: [Evidence.Proof] { Evidence.proofs(of: authentication, at: authenticated) }

    /// The session as the approver of requests.
    public var approver: Approver { Approver(subject: subject, id: id) }
}
