public import HTTPTypes

/// The reason that a request or message of OAuth 1 is not accepted.
///
/// Two refusals are equal when their codes are; the reason is for the log. An unknown client, an unknown token and a
/// wrong signature have one code, so that a sender does not learn which of them it was.
///
/// Standard: RFC 5849 §3.2.
public struct OAuth1Error: CodedError, CustomStringConvertible {
    /// The kinds of refusal, by what the sender can do about them.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The message does not follow the standard: a parameter is missing, repeated or malformed.
        case malformed
        /// The version, or the signature method, is not accepted.
        case unsupported
        /// Client, token or signature are wrong.
        case unauthorized
        /// The time in the request is too far from the receiver's.
        case staleTimestamp
        /// The request was received before.
        case usedNonce
    }

    /// The kind of the refusal.
    public let code: Code
    /// The cause, for the log; it holds no secret.
    public let reason: String

    /// A refusal with its reason.
    public init(_ code: Code, because reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The status of a server's answer: 400 for a malformed or unsupported request, 401 otherwise.
    public var status: HTTPResponse.Status {
        switch code {
        case .malformed, .unsupported: .badRequest
        case .unauthorized, .staleTimestamp, .usedNonce: .unauthorized
        }
    }

    /// Kind and reason, for the log.
    public var description: String { "\(code.rawValue): \(reason)" }
}
