public import Countersign

/// The one way in which an endpoint says no.
///
/// The code and the description go to the client; the reason goes to the log and never into an answer. Two errors are
/// equal when their codes are.
/// Standard: RFC 6749 §5.2.
public struct OAuthError: Error, Sendable, Equatable {
    /// A registered error code.
    public struct Code: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        // Standard: RFC 6749 §5.2.
        public static let invalidRequest = Code("invalid_request")
        public static let invalidClient = Code("invalid_client")
        public static let invalidGrant = Code("invalid_grant")
        public static let unauthorizedClient = Code("unauthorized_client")
        public static let unsupportedGrantType = Code("unsupported_grant_type")
        public static let invalidScope = Code("invalid_scope")
        // Standard: RFC 6749 §4.1.2.1.
        public static let accessDenied = Code("access_denied")
        public static let serverError = Code("server_error")
        public static let temporarilyUnavailable = Code("temporarily_unavailable")
        // Standard: RFC 8628 §3.5.
        public static let authorizationPending = Code("authorization_pending")
        public static let slowDown = Code("slow_down")
        public static let expiredToken = Code("expired_token")
        // Standard: RFC 7009 §2.2.1.
        public static let unsupportedTokenType = Code("unsupported_token_type")
        // Standard: RFC 6750 §3.1.
        public static let invalidToken = Code("invalid_token")
        public static let insufficientScope = Code("insufficient_scope")
    }

    public let code: Code
    /// A sentence for the client's developer: printable ASCII without `"` and `\`.
    public let description: String?
    /// What really happened, for the log.
    public let reason: String

    /// An error with a description for the client and a reason for the log.
    public init(_ code: Code, _ description: String? = nil, because reason: String) {
        self.code = code
        self.description = description
        self.reason = reason
    }

    public static func == (left: OAuthError, right: OAuthError) -> Bool {
        left.code == right.code
    }
}

/// An error as it is written in an answer.
///
/// Standard: RFC 6749 §5.2.
public struct OAuthErrorResponse: Sendable, Equatable, Codable {
    public let error: OAuthError.Code
    public let description: String?

    public init(_ error: OAuthError) {
        self.error = error.code
        description = error.description
    }

    enum CodingKeys: String, CodingKey {
        case error
        case description = "error_description"
    }
}
