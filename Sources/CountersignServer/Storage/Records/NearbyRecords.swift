public import Countersign
public import CountersignWire
public import Foundation

/// What one phone was shown of a request, and under which nonce it may decide about it.
public struct NearbyLook: Sendable, Equatable {
    /// The digest of the nonce.
    public let nonce: SecretDigest
    public let request: SignInRequest.ID
    /// The person whose phone it is.
    public let subject: Subject
    /// The sign-in of the app on that phone.
    public let signIn: Grant.ID
    /// What was answered, byte for byte.
    public let shown: ShownDigest
    public let expires: Date

    public init(
        nonce: SecretDigest,
        request: SignInRequest.ID,
        subject: Subject,
        signIn: Grant.ID,
        shown: ShownDigest,
        expires: Date
    ) {
        self.nonce = nonce
        self.request = request
        self.subject = subject
        self.signIn = signIn
        self.shown = shown
        self.expires = expires
    }
}

/// A decision that a phone signed, for whoever has to find out later what was said.
public struct NearbyDecisionRecord: Sendable, Equatable {
    public let request: SignInRequest.ID
    public let subject: Subject
    /// The sign-in of the app that signed it.
    public let signIn: Grant.ID
    /// By which key it is verified.
    public let key: ApproverKey
    public let decided: Date
    /// The decision as it came. It cannot be used again.
    public let signed: String

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
