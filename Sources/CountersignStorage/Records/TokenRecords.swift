public import FoundationEssentialsCompat

/// A sign-in of a screen or app, which owns its tokens.
public struct SignInRecord: Sendable, Equatable {
    /// The redeemed grant, which identifies the family of tokens.
    public let grant: Grant
    /// The approved request, with the provenance of each fact.
    public let request: SignInRequest
    /// The time of the grant's redemption.
    public let signedIn: Date
    /// The time of the last use of its refresh token.
    public var lastUsed: Date
    /// The expiry of its last token, or up to a minute later; extended by refreshes.
    public var ends: Date
    /// The time of its revocation; `nil` for none.
    public var revoked: Date?
    /// The key of an approver app for signing decisions: the key of its registered device, or the first key of a phone
    /// nearby.
    public var approverKey: ApproverKey?
    /// The browser session of the approval; `nil` for an approval by a code or a phone.
    public let session: SessionReference?
    /// Whether it comes from a ticket that enrolled a device of its person, and belongs to that device.
    public let isFromTicket: Bool

    /// Creates the record of a redeemed grant.
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

    /// Whether it is neither revoked nor expired at `now`. A single token may have expired earlier.
    package func isLive(at now: Date) -> Bool { revoked == nil && now < ends }
}

/// The identifier of an access token, the `jti` of a JWT; no secret.
///
/// It is time-ordered, so that rows of the same time are adjacent.
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
    /// The client that received it.
    public let client: ClientID
    /// The person; `nil` when the client acts for itself.
    public let subject: Subject?
    /// Its grant; `nil` when the client acts for itself.
    public let grant: Grant.ID?
    /// Its scope; empty for tokens of Cross-Platform Authentication.
    public let scope: Scope
    /// The audience (`aud`): a resource name or a domain.
    public let audience: String
    /// The time of its issue.
    public let issued: Date
    /// The expiry of the token.
    public let expires: Date
    /// The key that it is bound to; `nil` for a bearer token. Standard: RFC 9449 §6; RFC 8705 §3.
    public let key: SenderKey?
    /// The time of the person's last authentication; `nil` when it is unknown, or without a person.
    /// Standard: RFC 9470 §5.
    public let authenticated: Date?
    /// The class of that authentication, as `acr` names it.
    public let authenticationClass: String?
    /// The proofs of the approval, for those who may ask about the token; `nil` without a person.
    public let evidence: EvidenceClaim?

    /// Creates the record of a token that was minted.
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
        authenticationClass: String? = nil,
        evidence: EvidenceClaim? = nil
    ) {
        self.evidence = evidence
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

/// The newest refresh token of a family; replaced tokens have no record.
public struct RefreshTokenRecord: Sendable, Equatable {
    /// The digest of the common part of all tokens of the family.
    public let family: SecretDigest
    /// The digest of the token.
    public let token: SecretDigest
    /// The grant of its family of tokens.
    public let grant: Grant.ID
    /// The client that received it.
    public let client: ClientID
    /// The time of its issue.
    public let issued: Date
    /// The expiry of the token; extended by uses without replacement.
    public var expires: Date
    /// The key that it is bound to, for a public client; `nil` when it is not bound. Standard: RFC 9449 §5; RFC 8705
    /// §4.
    public let key: SenderKey?

    /// Creates the record of a token that was minted.
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

/// The newest token response of one sign-in, stored for a client that did not receive it.
///
/// There is one for each grant; a newer response replaces it.
public struct RepeatableAnswer: Sendable, Equatable {
    /// The kind of credential that was answered.
    public enum Kind: Sendable, Equatable {
        /// A refresh token: its response may be repeated while its successor is unused.
        case refreshToken
        /// A device code, an authorization code or an `auth_req_id`: its response may be repeated until its tokens are
        /// used, or until its deadline.
        case code(deadline: Date)
    }

    /// The sign-in.
    public let grant: Grant.ID
    /// The kind of credential that was answered.
    public let kind: Kind
    /// The digest of the code or refresh token that was answered.
    public let credential: SecretDigest
    /// The response, which only the holder of the credential can open.
    public let answer: SealedAnswer
    /// The time of the first response.
    public let answered: Date
    /// The latest time of its removal.
    public let ends: Date

    /// Creates the record of a response.
    public init(
        grant: Grant.ID, kind: Kind, credential: SecretDigest, answer: SealedAnswer, answered: Date, ends: Date
    ) {
        self.grant = grant
        self.kind = kind
        self.credential = credential
        self.answer = answer
        self.answered = answered
        self.ends = ends
    }
}

/// A sealed token response, which only the holder of the credential can open.
public struct SealedAnswer: Sendable, Equatable {
    /// Nonce, ciphertext and tag.
    public let bytes: [UInt8]

    package init(restoring bytes: [UInt8]) {
        self.bytes = bytes
    }
}
