internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The secrets that the server needs to notify a client of a decision. They are stored sealed until then, not as
/// digests, because they are sent.
struct NotificationSecrets: Sendable, Codable {
    /// The identifier of the request as the client knows it.
    private let request: String
    /// The token that proves to the client that the server calls.
    private let token: String
    /// The notification with the tokens, once they are issued; a client that is called again gets the same.
    var answer: [UInt8]?

    init(_ request: AuthenticationRequestID, _ token: ClientNotificationToken) {
        self.request = request.revealed
        self.token = token.revealed
    }

    var requestID: AuthenticationRequestID { AuthenticationRequestID(revealing: request) }
    var notificationToken: ClientNotificationToken { ClientNotificationToken(revealing: token) }

    /// Seals the secrets for one request.
    func sealed(for id: SignInRequest.ID, under keys: Keys) throws -> SealedAnswer {
        let bytes = Array(try JSONEncoder().encode(self))
        return SealedAnswer(restoring: try keys.noticeSeal.sealed(bytes, for: .notification(of: id)))
    }

    /// Opens what was sealed for a request; `nil` when it was sealed for another one, or under a key that was replaced.
    init?(opening sealed: SealedAnswer, for id: SignInRequest.ID, with keys: Keys) {
        guard let bytes = keys.noticeSeal.opened(sealed.bytes, for: .notification(of: id)),
            let secrets = try? JSONDecoder().decode(NotificationSecrets.self, from: Data(bytes))
        else { return nil }
        self = secrets
    }
}
