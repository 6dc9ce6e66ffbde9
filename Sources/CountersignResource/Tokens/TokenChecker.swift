public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Finds out what a token is worth that somebody showed.
///
/// Three come with this target: ``CrossPlatformChecker``, ``IntrospectionChecker`` and ``SignedTokenChecker``.
public protocol TokenChecker: Sendable {
    /// What `token` is worth at `now`.
    ///
    /// - Throws: ``CheckFailure`` when that cannot be said, which is never the token's fault.
    func check(_ token: AccessToken, at now: Date) async throws(CheckFailure) -> TokenVerdict
}

/// What a token is worth.
public enum TokenVerdict: Sendable, Hashable {
    case good(TokenFacts)
    /// It is unknown, expired, revoked, broken, or meant for somebody else. The reason is for the log, and holds nothing
    /// of the token.
    case notGood(because: String)
}

/// What the provider says of a good token.
public struct TokenFacts: Sendable, Hashable {
    /// The app that holds it.
    public var client: ClientID?
    /// The person for whom it is; `nil` where no person is behind it.
    public var person: Subject?
    /// What the person is called, fit to be shown; it identifies nobody.
    public var displayName: String?
    /// What the token allows; empty where the provider knows no scopes, as Cross-Platform Authentication does not.
    public var scope: Scope
    /// When it ends, where that is known.
    public var expires: Date?

    public init(
        client: ClientID?,
        person: Subject? = nil,
        displayName: String? = nil,
        scope: Scope = .none,
        expires: Date? = nil
    ) {
        self.client = client
        self.person = person
        self.displayName = displayName
        self.scope = scope
        self.expires = expires
    }
}

/// Nobody could say what a token is worth.
///
/// Two failures are equal when their codes are; the reason is for the log.
public struct CheckFailure: Error, Sendable, Equatable, CustomStringConvertible {
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

    public let code: Code
    /// When asking again makes sense, if the provider said so.
    public let retryAfter: Int?
    public let reason: String

    public init(_ code: Code, retryAfter: Int? = nil, because reason: String) {
        self.code = code
        self.retryAfter = retryAfter
        self.reason = reason
    }

    public static func == (left: CheckFailure, right: CheckFailure) -> Bool {
        left.code == right.code
    }

    public var description: String { "\(code.rawValue): \(reason)" }
}
