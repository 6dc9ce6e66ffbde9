public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A screen that was signed in, as the account page shows it; its tokens belong to this record.
public struct SignInRecord: Sendable, Equatable {
    /// The grant that was redeemed; it also names the family of tokens.
    public let grant: Grant
    /// The request that was approved, with where each fact comes from.
    public let request: SignInRequest
    /// When the grant was redeemed.
    public let signedIn: Date
    /// When its refresh token was last used.
    public var lastUsed: Date
    /// When its last token ends, or up to a minute later; moved on by refreshes.
    public var ends: Date
    /// When the sign-in was ended before its time; `nil` if it was not.
    public var revoked: Date?
    /// The key with which an approver app signs decisions: the one with which its device registered, or the first one
    /// that a phone nearby used.
    public var approverKey: ApproverKey?
    /// The browser session by which the person signed in; `nil` when they did so by a code or a phone.
    public let session: SessionReference?
    /// Whether a ticket gave it, with which its person enrolled a device: then it belongs to that device.
    public let isFromTicket: Bool

    /// Creates the record of a redeemed grant.
    ///
    /// - Parameters:
    ///   - grant: The grant that was redeemed.
    ///   - request: The request that was approved.
    ///   - signedIn: When the grant was redeemed.
    ///   - lastUsed: When its refresh token was last used; at first the same as `signedIn`.
    ///   - ends: When its last token ends.
    ///   - revoked: When the sign-in was ended before its time; `nil` by default.
    ///   - approverKey: The key by which an approver app signs decisions; `nil` by default, until the app uses one.
    ///   - session: The browser session by which the person signed in; `nil` by default.
    ///   - isFromTicket: Whether a ticket gave it, with which its person enrolled a device; not by default.
    public init(
        grant: Grant,
        request: SignInRequest,
        signedIn: Date,
        lastUsed: Date,
        ends: Date,
        revoked: Date? = nil,
        approverKey: ApproverKey? = nil,
        session: SessionReference? = nil,
        isFromTicket: Bool = false
    ) {
        self.grant = grant
        self.request = request
        self.signedIn = signedIn
        self.lastUsed = lastUsed
        self.ends = ends
        self.revoked = revoked
        self.approverKey = approverKey
        self.session = session
        self.isFromTicket = isFromTicket
    }

    /// Whether the screen is signed in at `now`: the sign-in was not ended before its time, and its last token has not
    /// ended. Of one of its tokens this says nothing: that token's own end decides, which is never later.
    func isLive(at now: Date) -> Bool { revoked == nil && now < ends }
}

/// Names one access token; the `jti` of a JWT. No secret.
///
/// It is time-ordered, so that the rows of JWTs lie where those of other tokens of their time do.
public struct TokenID: TimeOrderedIdentifier {
    /// The value of `jti`.
    public let rawValue: String
    /// Creates an identifier from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The record of an access token, opaque or JWT.
public struct AccessTokenRecord: Sendable, Equatable {
    /// The digest of the token.
    public let token: SecretDigest
    /// The `jti` of the token.
    public let id: TokenID
    /// The client to which it was issued.
    public let client: ClientID
    /// The person; `nil` when the client acts for itself.
    public let subject: Subject?
    /// The grant it comes from; `nil` when the client acts for itself.
    public let grant: Grant.ID?
    /// What it allows; empty for tokens of Cross-Platform Authentication.
    public let scope: Scope
    /// The service for which it is meant, as in `aud`: a resource name or a domain.
    public let audience: String
    /// When it was issued.
    public let issued: Date
    /// When it ends.
    public let expires: Date
    /// The key to which it is bound; `nil` when its bearer may use it. Standard: RFC 9449 §6; RFC 8705 §3.
    public let key: SenderKey?
    /// When the person last authenticated; `nil` when that is not known, or no person is involved. Standard: RFC 9470
    /// §5.
    public let authenticated: Date?
    /// The class of that authentication, as `acr` names it.
    public let authenticationClass: String?

    /// Creates the record of a token that was minted.
    ///
    /// - Parameters:
    ///   - token: The digest of the token.
    ///   - id: The `jti` of the token.
    ///   - client: The client to which it is issued.
    ///   - subject: The person; `nil` when the client acts for itself.
    ///   - grant: The grant it comes from; `nil` when the client acts for itself.
    ///   - scope: What it allows.
    ///   - audience: The service for which it is meant.
    ///   - issued: When it is issued.
    ///   - expires: When it ends.
    ///   - key: The key to which it is bound; `nil` by default.
    ///   - authenticated: When the person last authenticated; `nil`, the default, where that is not known.
    ///   - authenticationClass: The class of that authentication; `nil`, the default, where that is not known.
    public init(
        token: SecretDigest,
        id: TokenID,
        client: ClientID,
        subject: Subject?,
        grant: Grant.ID?,
        scope: Scope,
        audience: String,
        issued: Date,
        expires: Date,
        key: SenderKey? = nil,
        authenticated: Date? = nil,
        authenticationClass: String? = nil
    ) {
        self.authenticated = authenticated
        self.authenticationClass = authenticationClass
        self.token = token
        self.id = id
        self.client = client
        self.subject = subject
        self.grant = grant
        self.scope = scope
        self.audience = audience
        self.issued = issued
        self.expires = expires
        self.key = key
    }
}

/// The newest refresh token of a family; those that it replaced have no record.
public struct RefreshTokenRecord: Sendable, Equatable {
    /// The digest of what all tokens of the family have in common.
    public let family: SecretDigest
    /// The digest of the token.
    public let token: SecretDigest
    /// The grant to whose family of tokens it belongs.
    public let grant: Grant.ID
    /// The client to which it was issued.
    public let client: ClientID
    /// When it was issued.
    public let issued: Date
    /// When it ends; moved on by the use of a token that is not replaced then.
    public var expires: Date
    /// The key to which it is bound, for a public client; `nil` when it is not bound. Standard: RFC 9449 §5; RFC 8705
    /// §4.
    public let key: SenderKey?

    /// Creates the record of a token that was minted.
    ///
    /// - Parameters:
    ///   - family: The digest of what all tokens of the family have in common.
    ///   - token: The digest of the token.
    ///   - grant: The grant to whose family of tokens it belongs.
    ///   - client: The client to which it is issued.
    ///   - issued: When it is issued.
    ///   - expires: When it ends.
    ///   - key: The key to which it is bound; `nil` by default.
    public init(
        family: SecretDigest,
        token: SecretDigest,
        grant: Grant.ID,
        client: ClientID,
        issued: Date,
        expires: Date,
        key: SenderKey? = nil
    ) {
        self.family = family
        self.token = token
        self.grant = grant
        self.client = client
        self.issued = issued
        self.expires = expires
        self.key = key
    }
}

/// The newest token answer of one sign-in, kept for a client that did not receive it.
///
/// There is one for each grant: the answer to a newer credential replaces the older one.
public struct RepeatableAnswer: Sendable, Equatable {
    /// The kind of credential that was answered.
    public enum Kind: Sendable, Equatable {
        /// A refresh token: its answer may be repeated while its successor is unused.
        case refreshToken
        /// A device code, an authorization code or an `auth_req_id`: its answer may be repeated until what it gave was
        /// used, or its deadline has passed.
        case code(deadline: Date)
    }

    /// The sign-in to which the answer belongs.
    public let grant: Grant.ID
    /// The kind of credential that was answered.
    public let kind: Kind
    /// The digest of the code or refresh token that was answered.
    public let credential: SecretDigest
    /// The answer, which only the holder of the credential can open.
    public let answer: SealedAnswer
    /// When the answer was given for the first time.
    public let answered: Date
    /// The time at which it is removed at the latest.
    public let ends: Date

    /// Creates the record of an answer that is about to be sent.
    ///
    /// - Parameters:
    ///   - grant: The sign-in to which the answer belongs.
    ///   - kind: The kind of credential that is answered.
    ///   - credential: The digest of the code or refresh token that is answered.
    ///   - answer: The sealed answer.
    ///   - answered: When the answer is given for the first time.
    ///   - ends: When it is removed.
    public init(
        grant: Grant.ID,
        kind: Kind,
        credential: SecretDigest,
        answer: SealedAnswer,
        answered: Date,
        ends: Date
    ) {
        self.grant = grant
        self.kind = kind
        self.credential = credential
        self.answer = answer
        self.answered = answered
        self.ends = ends
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
