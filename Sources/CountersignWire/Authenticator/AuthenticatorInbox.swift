public import Countersign

/// The requests that wait for a person, as the server lists them to their enrolled devices.
///
/// It holds identifiers and times only; a device learns what a request is about by looking at it.
public struct AuthenticatorInbox: Sendable, Equatable, Codable {
    /// One request that waits.
    public struct Entry: Sendable, Hashable, Codable {
        /// The request.
        public let exchange: SignInRequest.ID
        /// What the person does with it.
        public let kind: AuthenticationRequest.Kind
        /// When it was made, in seconds since 1970.
        public let asked: Int
        /// When it becomes too late to answer, in seconds since 1970.
        public let expires: Int

        /// Creates an entry.
        ///
        /// - Parameters:
        ///   - exchange: The request.
        ///   - kind: What the person does with it.
        ///   - asked: When it was made, in seconds since 1970.
        ///   - expires: When it becomes too late to answer, in seconds since 1970.
        public init(exchange: SignInRequest.ID, kind: AuthenticationRequest.Kind, asked: Int, expires: Int) {
            self.exchange = exchange
            self.kind = kind
            self.asked = asked
            self.expires = expires
        }
    }

    /// The requests that can be answered now, the oldest first. At most one of them asks for an approval.
    public let requests: [Entry]
    /// The time of the server's clock, in seconds since 1970: devices count the time that is left by it.
    public let serverTime: Int

    enum CodingKeys: String, CodingKey {
        case requests
        case serverTime = "now"
    }

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - requests: The requests that can be answered now, the oldest first.
    ///   - serverTime: The time of the server's clock, in seconds since 1970.
    public init(requests: [Entry], serverTime: Int) {
        self.requests = requests
        self.serverTime = serverTime
    }
}
