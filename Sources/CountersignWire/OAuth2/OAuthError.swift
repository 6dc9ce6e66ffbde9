/// The error of every OAuth endpoint.
///
/// The code and the description go to the client; the reason goes to the log and never into an answer. Two errors are
/// equal when their codes are.
///
/// ```swift
/// throw OAuthError(.invalidGrant, because: "the refresh token belongs to another client")
/// ```
///
/// Standard: RFC 6749 §5.2.
public struct OAuthError: CodedError {
    /// A registered error code.
    public struct Code: Identifier {
        /// The error code in the answer.
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        // Standard: RFC 6749 §5.2.
        /// The request is malformed.
        public static let invalidRequest = Code("invalid_request")
        /// The client is unknown, or did not authenticate.
        public static let invalidClient = Code("invalid_client")
        /// The code or token is unknown, expired, revoked, spent, or another client's.
        public static let invalidGrant = Code("invalid_grant")
        /// The client may not use this grant type.
        public static let unauthorizedClient = Code("unauthorized_client")
        /// The server does not know this grant type.
        public static let unsupportedGrantType = Code("unsupported_grant_type")
        /// The scope is malformed, unknown, or more than the client or grant allows.
        public static let invalidScope = Code("invalid_scope")
        // Standard: RFC 6749 §4.1.2.1.
        /// The person refused.
        public static let accessDenied = Code("access_denied")
        /// The server answers another type of response only.
        public static let unsupportedResponseType = Code("unsupported_response_type")
        /// The server failed unexpectedly.
        public static let serverError = Code("server_error")
        /// The server is overloaded or in maintenance.
        public static let temporarilyUnavailable = Code("temporarily_unavailable")
        // Standard: OpenID Connect Core 1.0 §3.1.2.6.
        /// The person has to sign in first.
        public static let loginRequired = Code("login_required")
        /// The person has to approve first.
        public static let consentRequired = Code("consent_required")
        /// The person cannot sign in as the request demands it (Unmet Authentication Requirements 1.0 §2).
        public static let unmetAuthenticationRequirements = Code("unmet_authentication_requirements")
        /// The server does not take the parameter `request`.
        public static let requestNotSupported = Code("request_not_supported")
        /// The server does not take this `request_uri`.
        public static let requestURINotSupported = Code("request_uri_not_supported")
        /// The request object is malformed, or its signature is not good.
        public static let invalidRequestObject = Code("invalid_request_object")
        // Standard: RFC 9449 §5, §8.
        /// The DPoP proof is missing, malformed or does not fit the request.
        public static let invalidDPoPProof = Code("invalid_dpop_proof")
        /// The DPoP proof must hold the nonce that the answer gives.
        public static let useDPoPNonce = Code("use_dpop_nonce")
        // Standard: RFC 7591 §3.2.2.
        /// A redirect URI is not allowed.
        public static let invalidRedirectURI = Code("invalid_redirect_uri")
        /// A member of a registration is malformed or not allowed.
        public static let invalidClientMetadata = Code("invalid_client_metadata")
        // Standard: RFC 8628 §3.5.
        /// The person has not decided yet.
        public static let authorizationPending = Code("authorization_pending")
        /// The person has not decided yet, and the client must add 5 seconds to its interval.
        public static let slowDown = Code("slow_down")
        /// The device code has expired.
        public static let expiredToken = Code("expired_token")
        // Standard: OpenID CIBA Core 1.0 §12, §13.
        /// The hint token has expired.
        public static let expiredLoginHintToken = Code("expired_login_hint_token")
        /// There is no person whom the hint names.
        public static let unknownUserID = Code("unknown_user_id")
        /// The person's code is required, and the request has none.
        public static let missingUserCode = Code("missing_user_code")
        /// The person's code is wrong.
        public static let invalidUserCode = Code("invalid_user_code")
        /// The binding message is too long, or cannot be shown.
        public static let invalidBindingMessage = Code("invalid_binding_message")
        /// Tokens could not be issued, although the person did not refuse.
        public static let transactionFailed = Code("transaction_failed")
        /// The number that a person typed at their enrolled device is not the one that is shown where they started.
        /// An addition of Countersign.
        public static let invalidNumber = Code("invalid_number")
        // Standard: RFC 9470 §3.
        /// The person has to authenticate again, or in a stronger way.
        public static let insufficientUserAuthentication = Code("insufficient_user_authentication")
        // Standard: RFC 7009 §2.2.1.
        /// The server cannot revoke this type of token.
        public static let unsupportedTokenType = Code("unsupported_token_type")
        // Standard: RFC 8693 §2.2.2.
        /// The server gives no tokens for the service that the client names.
        public static let invalidTarget = Code("invalid_target")
        // Standard: RFC 6750 §3.1.
        /// The access token is expired, revoked or malformed.
        public static let invalidToken = Code("invalid_token")
        /// The access token's scope is not enough for the request.
        public static let insufficientScope = Code("insufficient_scope")

        /// Whether it means, in the answer to an authorization request, that the person refused: the standard's code,
        /// or those of Apple and LinkedIn.
        package var isDeclinedByPerson: Bool {
            ["access_denied", "user_cancelled_authorize", "user_cancelled_login"].contains(rawValue)
        }
    }

    /// The error, as a registered code.
    public let code: Code
    /// A sentence for the client's developer: printable ASCII without `"` and `\`; `nil` when the code is sufficient.
    public let description: String?
    /// The real cause, for the log only.
    public let reason: String

    /// Creates an error.
    public init(_ code: Code, _ description: String? = nil, because reason: String) {
        self.code = code
        self.description = description
        self.reason = reason
    }
}

/// The body of an answer that reports an error. An unreadable description counts as left out.
///
/// Standard: RFC 6749 §5.2.
public struct OAuthErrorResponse: Sendable, Equatable, Codable {
    /// The error code.
    public let error: OAuthError.Code
    /// A sentence for the client's developer, if the server sent one (`error_description`).
    @TolerantMember public private(set) var description: String?
    /// The number that the screen has to show from now on, with `authorization_pending`; `nil` for none.
    ///
    /// An addition of Countersign: RFC 8628 §3.5 lets clients ignore members that they do not know.
    @TolerantMember public private(set) var verificationNumber: VerificationNumber?
    /// The newest mark of the shown link, with `authorization_pending`; `nil` for an unchanged link. An addition of
    /// Countersign.
    @TolerantMember public private(set) var link: LinkMark?

    /// Creates the body for `error`; its reason is omitted.
    ///
    /// - Parameters:
    ///   - error: The error, for the client that asked.
    ///   - number: The number that the screen has to show; `nil`, the default, for none.
    ///   - link: The newest mark of the link; `nil`, the default, for none.
    public init(_ error: OAuthError, showing number: VerificationNumber? = nil, link: LinkMark? = nil) {
        self.link = link
        self.error = error.code
        description = error.description
        verificationNumber = number
    }

    enum CodingKeys: String, CodingKey {
        case error
        case description = "error_description"
        case link = "link_mark"
        case verificationNumber = "verification_number"
    }
}
