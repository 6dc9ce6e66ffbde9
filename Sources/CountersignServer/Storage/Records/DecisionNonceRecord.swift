public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A nonce that lets one app decide one request once, and the digest of what the app was shown of the request.
public struct DecisionNonceRecord: Sendable, Equatable {
    /// The type of the only decisions that may use the nonce, as it stands in their header (`typ`).
    public let decisionType: String
    /// The digest of the nonce.
    public let nonce: SecretDigest
    /// The request that may be decided.
    public let request: SignInRequest.ID
    /// The person who is signed in to the app.
    public let subject: Subject
    /// The sign-in of the app.
    public let signIn: Grant.ID
    /// The digest of the answer with what the app was shown.
    public let shown: ShownDigest
    /// The expiry of the nonce.
    public let expires: Date

    /// Creates the record of a nonce.
    public init(
        decisionType: String,
        nonce: SecretDigest,
        request: SignInRequest.ID,
        subject: Subject,
        signIn: Grant.ID,
        shown: ShownDigest,
        expires: Date
    ) {
        self.decisionType = decisionType
        self.nonce = nonce
        self.request = request
        self.subject = subject
        self.signIn = signIn
        self.shown = shown
        self.expires = expires
    }
}
