/// The answer to an accepted request over the back channel.
///
/// Standard: OpenID CIBA Core 1.0 §7.3.
public struct BackchannelAuthenticationResponse: Sendable, Equatable, Codable {
    /// The polling interval when the server names none, in seconds.
    public static let standardInterval = 5

    /// The identifier of the request, for asking about the decision; notifications name it, too.
    @SecretMember public private(set) var request: AuthenticationRequestID
    /// The time that the request waits for its decision, in seconds.
    @SecondsMember public private(set) var expiresIn: Int
    /// The shortest time between two polls, in seconds; `nil` for a client that does not poll.
    @OptionalSecondsMember public private(set) var interval: Int?
    /// The number that the client shows, and that the person types to approve; `nil` for a request without one.
    ///
    /// It is an addition of Countersign (`verification_number`), for clients that are registered to show it.
    public let verificationNumber: String?

    /// Creates an answer.
    public init(request: AuthenticationRequestID, expiresIn: Int, interval: Int?, verificationNumber: String? = nil) {
        self.request = request
        self.expiresIn = expiresIn
        self.interval = interval
        self.verificationNumber = verificationNumber
    }

    enum CodingKeys: String, SnakeCaseKey {
        case expiresIn, interval, verificationNumber
        case request = "auth_req_id"
    }
}
