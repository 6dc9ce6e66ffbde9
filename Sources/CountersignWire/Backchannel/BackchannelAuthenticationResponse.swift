public import Countersign

/// The answer to an accepted request over the back channel.
///
/// Standard: OpenID CIBA Core 1.0 §7.3.
public struct BackchannelAuthenticationResponse: Sendable, Equatable {
    /// The polling interval when the server names none, in seconds.
    public static let standardInterval = 5

    /// The identifier of the request, for asking about the decision; notifications name it, too.
    public let request: AuthenticationRequestID
    /// The time that the request waits for its decision, in seconds.
    public let expiresIn: Int
    /// The shortest time between two polls, in seconds; `nil` for a client that does not poll.
    public let interval: Int?
    /// The number that the client shows, and that the person types to approve; `nil` for a request without one.
    ///
    /// It is an addition of Countersign (`verification_number`), for clients that are registered to show it.
    public let verificationNumber: String?

    /// Creates an answer.
    public init(
        request: AuthenticationRequestID,
        expiresIn: Int,
        interval: Int?,
        verificationNumber: String? = nil
    ) {
        self.request = request
        self.expiresIn = expiresIn
        self.interval = interval
        self.verificationNumber = verificationNumber
    }
}

extension BackchannelAuthenticationResponse: Codable {
    enum CodingKeys: String, CodingKey {
        case request = "auth_req_id"
        case expiresIn = "expires_in"
        case interval
        case verificationNumber = "verification_number"
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(request.revealed, forKey: .request)
        try fields.encode(expiresIn, forKey: .expiresIn)
        try fields.encodeIfPresent(interval, forKey: .interval)
        try fields.encodeIfPresent(verificationNumber, forKey: .verificationNumber)
    }

    /// Reads an answer; numbers may be quoted.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        request = AuthenticationRequestID(revealing: try fields.decode(String.self, forKey: .request))
        expiresIn = try fields.decode(SecondsMember.self, forKey: .expiresIn).wrappedValue
        interval = try fields.decode(OptionalSecondsMember.self, forKey: .interval).wrappedValue
        verificationNumber = try fields.decodeIfPresent(String.self, forKey: .verificationNumber)
    }
}
