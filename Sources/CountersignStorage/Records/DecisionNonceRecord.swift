public import FoundationEssentialsCompat

/// A nonce for one decision of one app about one request, with the digest of the shown request.
public struct DecisionNonceRecord: Sendable, Equatable {
    /// The method of approval; a decision must state the same one.
    public let method: ApprovalMethod
    /// The digest of the nonce.
    public let nonce: SecretDigest
    /// The request that may be decided.
    public let request: SignInRequest.ID
    /// The person who is signed in at the app.
    public let subject: Subject
    /// The sign-in of the app.
    public let signIn: Grant.ID
    /// The digest of the answer that described the request to the app.
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
