/// The error of every endpoint of Cross-Platform Authentication.
///
/// The code, the description and `retryIn` go to the client; the reason goes to the log and never into an answer. Two
/// errors are equal when their codes are.
///
/// ```swift
/// throw CrossPlatformError(.slowDown, "ask less often", retryIn: 5, because: "polled after 2 s")
/// ```
///
/// Standard: ETSI TS 103 407 §8.
public struct CrossPlatformError: CodedError {
    /// An error code of the standard.
    public struct Code: Identifier {
        /// The error code in the answer.
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The request is malformed, or refers to an unknown object.
        public static let invalidRequest = Code("invalid_request")
        /// The client is unknown or removed, or its secret is wrong.
        public static let invalidClient = Code("invalid_client")
        /// The person refused.
        public static let cancelled = Code("cancelled")
        /// The person did not answer in time.
        public static let expired = Code("expired")
        /// The client exceeds its rate; the answer has the time for a retry.
        public static let slowDown = Code("slow_down")
        /// A service provider did not authenticate.
        public static let unauthorized = Code("unauthorized")
        /// There is no such token that this service provider may see.
        public static let notFound = Code("not_found")
        /// The proof of a key is not good. The standard knows no proofs; this is the code of RFC 9449 §5.
        public static let invalidDPoPProof = Code("invalid_dpop_proof")
        /// The proof needs the nonce of this answer. The standard knows no proofs; this is the code of RFC 9449 §8.
        public static let useDPoPNonce = Code("use_dpop_nonce")
        // Codes of RFC 6749 §4.1.2.1, for cases that the standard leaves open.
        /// The server failed. The standard names no code for it; this is that of RFC 6749 §4.1.2.1.
        public static let serverError = Code("server_error")
        /// The server is overloaded or in maintenance. The standard names no code for it; this is that of RFC 6749
        /// §4.1.2.1.
        public static let temporarilyUnavailable = Code("temporarily_unavailable")
    }

    /// The error, in the standard's word.
    public let code: Code
    /// A sentence for the client's developer; `nil` when the code is sufficient.
    public let description: String?
    /// The wait before the next request, in seconds; sent with `slow_down`.
    public let retryIn: Int?
    /// The real cause, for the log only.
    public let reason: String

    /// Creates an error.
    public init(_ code: Code, _ description: String? = nil, retryIn: Int? = nil, because reason: String) {
        self.code = code
        self.description = description
        self.retryIn = retryIn
        self.reason = reason
    }
}

/// The body of an answer that reports an error.
///
/// Standard: ETSI TS 103 407 §8.
package struct CrossPlatformErrorResponse: Sendable, Equatable, Codable {
    package let error: CrossPlatformError.Code
    /// A sentence for the client's developer, if the server sent one (`error_description`).
    package let description: String?
    /// The wait before the next request, in seconds (`retry_in`).
    @OptionalSecondsMember package private(set) var retryIn: Int?

    /// Creates the body for `error`; its reason is omitted.
    package init(_ error: CrossPlatformError) {
        self.error = error.code
        description = error.description
        retryIn = error.retryIn
    }

    enum CodingKeys: String, SnakeCaseKey {
        case error, retryIn
        case description = "error_description"
    }
}

/// The answer, with status 202 and no error, while the person has not decided.
///
/// Standard: ETSI TS 103 407 §8.4.1.2.
package struct PendingResponse: Sendable, Equatable, Codable {
    /// The code of the pending condition.
    package let reason: String
    /// The number that the screen has to show from now on; `nil` for none. An addition of Countersign.
    package let verificationNumber: VerificationNumber?
    /// The newest mark of the link that the screen shows; `nil` for an unchanged link. An addition of Countersign.
    package let link: LinkMark?

    /// The person has not decided yet.
    package static let authorizationPending = PendingResponse(reason: "authorization_pending")

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - reason: A word of the standard; that of ``authorizationPending`` is the only one that servers send.
    ///   - number: The number that the screen has to show; `nil`, the default, for none.
    ///   - link: The newest mark of the link; `nil`, the default, for none.
    package init(reason: String, showing number: VerificationNumber? = nil, link: LinkMark? = nil) {
        self.link = link
        self.reason = reason
        verificationNumber = number
    }

    enum CodingKeys: String, SnakeCaseKey {
        case reason, verificationNumber
        case link = "link_mark"
    }
}

extension TextMembers {
    /// Makes sure that these members are there, each a text, and no others.
    ///
    /// - Throws: ``CrossPlatformError`` `invalid_request`.
    func require(_ names: [String]) throws(CrossPlatformError) {
        if let missing = names.first(where: { self[$0] == nil }) {
            throw CrossPlatformError(
                .invalidRequest, "the member \(missing) is missing", because: "the member \(missing) is missing")
        }
        if let other = self.names.first(where: { !names.contains($0) }) {
            // Its name is a stranger's text, and has no place in an answer.
            throw CrossPlatformError(
                .invalidRequest,
                "there may be no other members than \(names.joined(separator: ", "))",
                because: "the member \(other.debugDescription) is unknown"
            )
        }
    }
}
