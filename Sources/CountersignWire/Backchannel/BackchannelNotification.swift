/// The message of the server to the notification endpoint of a client.
///
/// The client compares the token in the `Authorization` header, and knows by the members which of the three it is.
/// Standard: OpenID CIBA Core 1.0 §10.2, §10.3.1, §12.
public enum BackchannelNotification: Sendable, Equatable {
    /// There is a decision; the client asks the token endpoint for it.
    case decided(AuthenticationRequestID)
    /// The person approved; these are the tokens.
    case tokens(TokenResponse, for: AuthenticationRequestID)
    /// There are no tokens, and will be none: `access_denied`, `expired_token` or `transaction_failed`.
    case refused(OAuthErrorResponse, for: AuthenticationRequestID)

    /// The request that the notification is about.
    public var request: AuthenticationRequestID {
        switch self {
        case .decided(let request), .tokens(_, for: let request), .refused(_, for: let request): request
        }
    }
}

extension BackchannelNotification: Codable {
    enum CodingKeys: String, SnakeCaseKey {
        case error, accessToken
        case request = "auth_req_id"
    }

    /// Writes the notification; tokens appear in the clear, since it delivers them to their client.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .decided: break
        case .tokens(let tokens, for: _): try tokens.encode(to: encoder)
        case .refused(let error, for: _): try error.encode(to: encoder)
        }
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(request.revealed, forKey: .request)
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let request = AuthenticationRequestID(revealing: try fields.decode(String.self, forKey: .request))
        switch (fields.contains(.accessToken), fields.contains(.error)) {
        case (false, false): self = .decided(request)
        case (true, false): self = .tokens(try TokenResponse(from: decoder), for: request)
        case (false, true): self = .refused(try OAuthErrorResponse(from: decoder), for: request)
        case (true, true):
            throw DecodingError.dataCorruptedError(
                forKey: .error, in: fields, debugDescription: "tokens and an error")
        }
    }
}
