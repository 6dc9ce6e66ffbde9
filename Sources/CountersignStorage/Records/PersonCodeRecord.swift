public import FoundationEssentialsCompat

/// The ``PersonCode`` that a person is shown, until it has started a request or expired.
public struct PersonCodeRecord: Sendable, Equatable {
    /// The digest of the code under a key of the server.
    public let digest: SecretDigest
    /// The person, and the browser session or app that shows them the code.
    public let holder: ApproverIdentity
    /// The code, sealed under a key of the server, to be shown again.
    public let sealed: [UInt8]
    /// The expiry of the code.
    public let expires: Date
    /// The request that it started; `nil` for an unused code.
    public var request: SignInRequest.ID?

    /// Creates a code to store.
    public init(
        digest: SecretDigest,
        holder: ApproverIdentity,
        sealed: [UInt8],
        expires: Date,
        request: SignInRequest.ID? = nil
    ) {
        self.digest = digest
        self.holder = holder
        self.sealed = sealed
        self.expires = expires
        self.request = request
    }
}
