public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A nonce that lets one app decide one request once, and the digest of what the app was shown of the request.
public struct DecisionNonceRecord: Sendable, Equatable {
    /// The way the request was found; only decisions that say the same may use the nonce.
    public let method: ApprovalMethod
    /// The digest of the nonce.
    public let nonce: SecretDigest
    /// The request that may be decided.
    public let request: SignInRequest.ID
    /// The person who is signed in to the app.
    public let subject: Subject
    /// The sign-in of the app.
    public let signIn: Grant.ID
    /// The digest of the answer with what the app was shown.
    public let shown: AnswerDigest
    /// The expiry of the nonce.
    public let expires: Date

    /// Creates the record of a nonce.
    public init(
        method: ApprovalMethod,
        nonce: SecretDigest,
        request: SignInRequest.ID,
        subject: Subject,
        signIn: Grant.ID,
        shown: AnswerDigest,
        expires: Date
    ) {
        self.method = method
        self.nonce = nonce
        self.request = request
        self.subject = subject
        self.signIn = signIn
        self.shown = shown
        self.expires = expires
    }
}
