/// The requests that wait for a person, as the server lists them to their enrolled devices.
///
/// It holds identifiers and times only; a device learns what a request is about by looking at it.
package struct AuthenticatorInbox: Sendable, Equatable, Codable {
    /// One request that waits.
    package struct Entry: Sendable, Hashable, Codable {
        package let exchange: SignInRequest.ID
        /// The requested kind of answer.
        package let kind: AuthenticationRequest.Kind
        /// The creation time, in seconds since 1970.
        package let asked: Int
        /// The expiry, in seconds since 1970: an answer after it is too late.
        package let expires: Int

        /// Creates an entry.
        package init(exchange: SignInRequest.ID, kind: AuthenticationRequest.Kind, asked: Int, expires: Int) {
            self.exchange = exchange
            self.kind = kind
            self.asked = asked
            self.expires = expires
        }
    }

    /// The requests that can be answered now, the oldest first. At most one of them asks for an approval.
    package let requests: [Entry]
    /// Requests that their asking side gave up a moment ago; `nil` from a server that does not say it.
    @TolerantMember package var cancelled: [SignInRequest.ID]?
    /// The time of the server's clock, in seconds since 1970: devices count the time that is left by it.
    package let serverTime: Int

    enum CodingKeys: String, CodingKey {
        case requests, cancelled
        case serverTime = "now"
    }

    /// Creates a list.
    package init(requests: [Entry], serverTime: Int) {
        self.requests = requests
        self.serverTime = serverTime
    }
}
