public import Countersign
public import CountersignWire
public import Foundation

/// What one phone was shown of a request, and the nonce with which it may decide it.
public struct NearbyLook: Sendable, Equatable {
    /// The type of the only decisions that may use the nonce, as it stands in their header (`typ`).
    public let decisionType: String
    /// The digest of the nonce.
    public let nonce: SecretDigest
    /// The request that was looked at.
    public let request: SignInRequest.ID
    /// The person whose phone it is.
    public let subject: Subject
    /// The sign-in of the app on that phone.
    public let signIn: Grant.ID
    /// The digest of the answer that the phone was shown.
    public let shown: ShownDigest
    /// When the nonce expires.
    public let expires: Date

    /// Creates a look to store.
    ///
    /// - Parameters:
    ///   - decisionType: The type of the only decisions that may use the nonce (`typ`).
    ///   - nonce: The digest of a new nonce.
    ///   - request: The request that was looked at.
    ///   - subject: The person whose phone it is.
    ///   - signIn: The sign-in of the app on that phone.
    ///   - shown: The digest of the answer.
    ///   - expires: When it is too late to decide by this nonce.
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

/// A decision that a phone signed, kept as proof.
public struct NearbyDecisionRecord: Sendable, Equatable {
    /// The request that was decided.
    public let request: SignInRequest.ID
    /// The person who decided.
    public let subject: Subject
    /// The sign-in of the app that signed it.
    public let signIn: Grant.ID
    /// The key that verifies it.
    public let key: ApproverKey
    /// When the server accepted the decision.
    public let decided: Date
    /// The decision as it was received. It cannot be used again.
    public let signed: String

    /// Creates the record of a decision that was verified.
    ///
    /// - Parameters:
    ///   - request: The request that was decided.
    ///   - subject: The person who decided.
    ///   - signIn: The sign-in of the app that signed the decision.
    ///   - key: The key by which it was verified.
    ///   - decided: When the server took the decision.
    ///   - signed: The decision as it came: a compact JWS.
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
