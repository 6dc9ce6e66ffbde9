public import Countersign
public import Foundation

/// The secret in a browser's cookie.
public struct BrowserCookie: Secret {
    public let revealed: String
    public init(revealing text: String) { revealed = text }
}

/// A browser in which somebody is signed in.
public struct BrowserSession: Sendable, Equatable {
    public let cookie: SecretDigest
    /// Names the session where it decides on requests.
    public let id: ApproverID
    public let subject: Subject
    /// When the person proved who they are.
    public let authenticated: Date
    public let expires: Date

    public init(cookie: SecretDigest, id: ApproverID, subject: Subject, authenticated: Date, expires: Date) {
        self.cookie = cookie
        self.id = id
        self.subject = subject
        self.authenticated = authenticated
        self.expires = expires
    }

    /// The person and screen that this session speaks for.
    public var approver: Approver { Approver(subject: subject, id: id) }
}
