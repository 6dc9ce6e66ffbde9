public import FoundationEssentialsCompat

/// A signed decision of an app, stored as proof.
public struct SignedDecisionRecord: Sendable, Equatable {
    /// The decided request.
    public let request: SignInRequest.ID
    /// The person who decided.
    public let subject: Subject
    /// The sign-in of the app.
    public let signIn: Grant.ID
    /// The key that verifies it.
    public let key: ApproverKey
    /// The time of the decision's acceptance by the server.
    public let decided: Date
    /// The decision as it was received; it cannot be replayed.
    public let signed: String

    /// Creates the record of a verified decision.
    public init(
        request: SignInRequest.ID, subject: Subject, signIn: Grant.ID, key: ApproverKey, decided: Date, signed: String
    ) {
        self.request = request
        self.subject = subject
        self.signIn = signIn
        self.key = key
        self.decided = decided
        self.signed = signed
    }
}
