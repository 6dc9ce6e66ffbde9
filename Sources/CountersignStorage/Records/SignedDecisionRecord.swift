public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A decision that an app signed, kept as proof.
public struct SignedDecisionRecord: Sendable, Equatable {
    /// The request that was decided.
    public let request: SignInRequest.ID
    /// The person who decided.
    public let subject: Subject
    /// The sign-in of the app that signed it.
    public let signIn: Grant.ID
    /// The key that verifies it.
    public let key: ApproverKey
    /// The time of the decision's acceptance by the server.
    public let decided: Date
    /// The decision as it was received. It cannot be used again.
    public let signed: String

    /// Creates the record of a decision that was verified.
    public init(
        request: SignInRequest.ID,
        subject: Subject,
        signIn: Grant.ID,
        key: ApproverKey,
        decided: Date,
        signed: String
    ) {
        self.request = request
        self.subject = subject
        self.signIn = signIn
        self.key = key
        self.decided = decided
        self.signed = signed
    }
}
