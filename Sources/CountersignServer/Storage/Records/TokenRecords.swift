public import Countersign
public import CountersignWire
public import Foundation

/// A screen that was signed in: what its person sees on their account page, and what its tokens belong to.
public struct SignInRecord: Sendable, Equatable {
    /// The grant that was redeemed; it also names the family of tokens.
    public let grant: Grant
    /// The request that was approved, with where each fact comes from.
    public let request: SignInRequest
    public let signedIn: Date
    /// When its refresh token was last used.
    public var lastUsed: Date
    /// When its last token ends, or up to a minute later; moved on by refreshes.
    public var ends: Date
    /// When somebody ended it before its time.
    public var revoked: Date?
    /// The key by which the app that was signed in signs what its person decides; the first one that it used.
    public var approverKey: ApproverKey?

    public init(
        grant: Grant,
        request: SignInRequest,
        signedIn: Date,
        lastUsed: Date,
        ends: Date,
        revoked: Date? = nil,
        approverKey: ApproverKey? = nil
    ) {
        self.grant = grant
        self.request = request
        self.signedIn = signedIn
        self.lastUsed = lastUsed
        self.ends = ends
        self.revoked = revoked
        self.approverKey = approverKey
    }
}

/// Names one access token; the `jti` of a JWT. No secret.
public struct TokenID: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// An access token, as far as the server keeps it: opaque tokens and JWTs alike.
public struct AccessTokenRecord: Sendable, Equatable {
    public let token: SecretDigest
    public let id: TokenID
    public let client: ClientID
    /// The person; `nil` when the client acts for itself.
    public let subject: Subject?
    /// The grant it comes from; `nil` when the client acts for itself.
    public let grant: Grant.ID?
    public let scope: Scope
    public let audience: String
    public let issued: Date
    public let expires: Date

    public init(
        token: SecretDigest,
        id: TokenID,
        client: ClientID,
        subject: Subject?,
        grant: Grant.ID?,
        scope: Scope,
        audience: String,
        issued: Date,
        expires: Date
    ) {
        self.token = token
        self.id = id
        self.client = client
        self.subject = subject
        self.grant = grant
        self.scope = scope
        self.audience = audience
        self.issued = issued
        self.expires = expires
    }
}

/// A refresh token, as far as the server keeps it.
public struct RefreshTokenRecord: Sendable, Equatable {
    /// Whether the token can still be used.
    public enum Use: Sendable, Equatable {
        case unused
        /// It was replaced at this instant.
        case rotated(at: Date)
    }

    public let token: SecretDigest
    public let grant: Grant.ID
    public let client: ClientID
    public let issued: Date
    public let expires: Date
    public var use: Use

    public init(
        token: SecretDigest,
        grant: Grant.ID,
        client: ClientID,
        issued: Date,
        expires: Date,
        use: Use = .unused
    ) {
        self.token = token
        self.grant = grant
        self.client = client
        self.issued = issued
        self.expires = expires
        self.use = use
    }
}

/// The newest token answer of one sign-in, kept for some seconds for a client that did not receive it.
///
/// There is one for each grant: the answer to a newer credential takes the place of the older one.
public struct RepeatableAnswer: Sendable, Equatable {
    public let grant: Grant.ID
    /// The digest of the device code or refresh token that was answered.
    public let credential: SecretDigest
    public let answer: SealedAnswer
    /// When the answer was given for the first time.
    public let answered: Date

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - grant: The grant of the sign-in.
    ///   - credential: The digest of the device code or refresh token that was answered.
    ///   - answer: The answer, sealed under the credential.
    ///   - answered: When the answer was given for the first time.
    public init(grant: Grant.ID, credential: SecretDigest, answer: SealedAnswer, answered: Date) {
        self.grant = grant
        self.credential = credential
        self.answer = answer
        self.answered = answered
    }
}

/// A token answer that only the holder of the credential that it answered can open.
public struct SealedAnswer: Sendable, Equatable {
    /// Nonce, ciphertext and tag.
    public let bytes: [UInt8]

    package init(restoring bytes: [UInt8]) {
        self.bytes = bytes
    }
}
