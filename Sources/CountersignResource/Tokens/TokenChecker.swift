public import Countersign
public import CountersignWire
public import FoundationEssentialsCompat

/// Finds out what a presented token is worth.
///
/// Three come with this library: ``CrossPlatformChecker``, ``IntrospectionChecker`` and ``SignedTokenChecker``. A
/// service with its own tokens writes another:
///
/// ```swift
/// struct TestTokens: TokenChecker {
///     func check(_ token: AccessToken, at now: Date) async throws(TokenCheckError) -> TokenVerdict {
///         token == AccessToken(revealing: "letmein")
///             ? .good(TokenFacts(client: ClientID("tests"))) : .notGood(because: "it is another one")
///     }
/// }
/// ```
public protocol TokenChecker: Sendable {
    /// Finds out what a token is worth.
    ///
    /// - Parameters:
    ///   - token: The token as the client presented it; nothing of it is verified.
    ///   - now: The time when the token is presented.
    /// - Returns: The verdict: whether it is good, and the facts about it.
    /// - Throws: ``TokenCheckError`` when that cannot be determined, which is never the token's fault.
    func check(_ token: AccessToken, at now: Date) async throws(TokenCheckError) -> TokenVerdict
}

/// The result of checking a token.
public enum TokenVerdict: Sendable, Hashable {
    /// It is good, and these are the facts about it.
    case good(TokenFacts)
    /// It is unknown, expired, revoked, malformed, or for another service.
    ///
    /// The reason is for the log, and holds nothing of the token.
    case notGood(because: String)
}

/// The provider's facts about a valid token.
public struct TokenFacts: Sendable, Hashable {
    /// The app that holds it.
    public var client: ClientID?
    /// The person of the token; `nil` if no person is behind it.
    public var person: Subject?
    /// The user name of the person (`username`), letter by letter, if the provider reports it.
    ///
    /// Two that look alike can differ, and a person can get another one. Standard: RFC 7662 §2.2.
    public var username: String?
    /// The display name of the person; it is no identifier.
    public var displayName: String?
    /// The scope of the token; empty where the provider knows no scopes, as Cross-Platform Authentication does not.
    public var scope: Scope
    /// The expiry, if known.
    public var expires: Date?
    /// The key that it is bound to; `nil` for a token that its bearer may use.
    ///
    /// A ``ResourceGuard`` lets a bound token pass only with a proof of that key. Standard: RFC 9449 §6, §7; RFC 8705
    /// §3.
    public var key: SenderKey?
    /// The time of the person's last authentication (`auth_time`), if the provider reports it. Standard: RFC 9470 §5.
    public var authenticated: Date?
    /// The class of that authentication (`acr`), if the provider reports it.
    public var authenticationClass: String?
    /// The proofs of the approval (`countersign_evidence`), if the provider reports them; one that is no Countersign does
    /// not.
    public var evidence: EvidenceClaim?
    /// The groups of the person (`groups`); empty where the provider reports none.
    public var groups: [GroupName]

    /// Puts together what is known of a token.
    public init(
        client: ClientID?,
        person: Subject? = nil,
        username: String? = nil,
        displayName: String? = nil,
        scope: Scope = .none,
        expires: Date? = nil,
        key: SenderKey? = nil,
        authenticated: Date? = nil,
        authenticationClass: String? = nil,
        evidence: EvidenceClaim? = nil,
        groups: [GroupName] = []
    ) {
        self.client = client
        self.person = person
        self.username = username
        self.displayName = displayName
        self.scope = scope
        self.expires = expires
        self.key = key
        self.authenticated = authenticated
        self.authenticationClass = authenticationClass
        self.evidence = evidence
        self.groups = groups
    }
}

/// The reason that a token could not be checked.
///
/// A ``ResourceGuard`` answers 503 then, with the `Retry-After` of ``retryAfter``.
///
/// Two failures are equal when their codes are; the reason is for the log.
public struct TokenCheckError: CodedError, CustomStringConvertible {
    /// The kinds of failure that lead to different steps.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The provider gave no whole answer in time, or one that says that it is broken.
        case unreachable
        /// The provider, or this service, has too much to do.
        case busy
        /// The provider does not accept this service: its credentials or its domain are wrong.
        case notAccepted = "not_accepted"
        /// The provider's answer is not what the standard says.
        case badAnswer = "bad_answer"
    }

    /// The kind of the failure.
    public let code: Code
    /// The number of seconds after which the provider accepts a retry; `nil` if unknown.
    public let retryAfter: Int?
    /// The cause, for the log; it holds no secret.
    public let reason: String

    /// A failure with its reason.
    public init(_ code: Code, retryAfter: Int? = nil, because reason: String) {
        self.code = code
        self.retryAfter = retryAfter
        self.reason = reason
    }

    /// Kind and reason, for the log.
    public var description: String { "\(code.rawValue): \(reason)" }
}
