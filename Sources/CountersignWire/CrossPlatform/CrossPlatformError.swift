public import Countersign

/// The one way in which an endpoint of Cross-Platform Authentication says no.
///
/// The code, the description and `retryIn` go to the client; the reason goes to the log and never into an answer. Two
/// errors are equal when their codes are.
/// Standard: ETSI TS 103 407 §8.
public struct CrossPlatformError: Error, Sendable, Equatable {
    /// A word of the standard.
    public struct Code: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The request has not the form that it should have, or names something that is not there.
        public static let invalidRequest = Code("invalid_request")
        /// The client is unknown, or not any more, or its secret is wrong.
        public static let invalidClient = Code("invalid_client")
        /// The person refused.
        public static let cancelled = Code("cancelled")
        /// Nobody answered in time.
        public static let expired = Code("expired")
        /// The client asks more often than it may.
        public static let slowDown = Code("slow_down")
        /// A service provider did not show that it is one.
        public static let unauthorized = Code("unauthorized")
        /// There is no such token, as far as the service provider is concerned.
        public static let notFound = Code("not_found")
        // For what the standard leaves to its reader, the words of RFC 6749 §4.1.2.1.
        public static let serverError = Code("server_error")
        public static let temporarilyUnavailable = Code("temporarily_unavailable")
    }

    public let code: Code
    /// A sentence for the client's developer.
    public let description: String?
    /// When asking again makes sense, in seconds from now; with `slow_down`.
    public let retryIn: Int?
    /// What really happened, for the log.
    public let reason: String

    /// An error with a description for the client and a reason for the log.
    public init(_ code: Code, _ description: String? = nil, retryIn: Int? = nil, because reason: String) {
        self.code = code
        self.description = description
        self.retryIn = retryIn
        self.reason = reason
    }

    public static func == (left: CrossPlatformError, right: CrossPlatformError) -> Bool {
        left.code == right.code
    }
}

/// An error as it is written in an answer.
public struct CrossPlatformErrorResponse: Sendable, Equatable, Codable {
    public let error: CrossPlatformError.Code
    public let description: String?
    /// When asking again makes sense, in seconds from now.
    public let retryIn: Int?

    public init(_ error: CrossPlatformError) {
        self.error = error.code
        description = error.description
        retryIn = error.retryIn
    }

    enum CodingKeys: String, CodingKey {
        case error
        case description = "error_description"
        case retryIn = "retry_in"
    }
}

/// The answer to a client whose person has not decided yet: no error, status 202.
///
/// Standard: ETSI TS 103 407 §8.4.1.2.
public struct PendingResponse: Sendable, Equatable, Codable {
    public let reason: String

    /// Nobody has decided.
    public static let authorizationPending = PendingResponse(reason: "authorization_pending")

    public init(reason: String) {
        self.reason = reason
    }
}

extension TextMembers {
    /// Makes sure that these members are there, each a text, and no others.
    ///
    /// - Throws: ``CrossPlatformError`` `invalid_request`.
    func require(_ names: [String]) throws(CrossPlatformError) {
        if let missing = names.first(where: { self[$0] == nil }) {
            throw CrossPlatformError(
                .invalidRequest,
                "the member \(missing) is missing",
                because: "the member \(missing) is missing"
            )
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
