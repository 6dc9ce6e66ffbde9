internal import Countersign
internal import CountersignWire

extension TokenService {
    /// Runs `issue` with the client's registration, and again when the registration changed in the meantime. A client
    /// that has to prove a key is refused without one.
    func byRegistration<Issued: Sendable>(
        of client: AuthenticatedClient,
        provenBy key: SenderKey?,
        _ issue: (AuthenticatedClient) async throws -> Issued
    ) async throws -> Issued {
        try await byRegistration(client, renewing: { try clients.authentication.renewed($0, as: $1) }) { client in
            try client.requireKey(key)
            return try await issue(client)
        }
    }

    /// Runs `issue` for a client, and again when its registration changed in the meantime.
    func byRegistration<Party: Sendable, Issued: Sendable>(
        _ client: Party,
        renewing renew: (Party, Client) throws -> Party,
        _ issue: (Party) async throws -> Issued
    ) async throws -> Issued {
        var client = client
        var changed: ClientID?
        for _ in 0..<3 {
            do {
                return try await issue(client)
            } catch let change as RegistrationChangedError {
                changed = change.present.id
                client = try renew(client, change.present)
            }
        }
        throw OAuthError(
            .temporarilyUnavailable,
            "ask again in a moment",
            because: "the registration of \(changed?.rawValue ?? "a client") changed three times meanwhile"
        )
    }

    // MARK: Tokens that are sent

    /// Issues the tokens of a request over the back channel that the server sends to the client by itself, or says why
    /// there are none.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - client: The client as it is registered, as far as is known.
    ///   - keep: Keeps the answer in the change that issues the tokens, so that a client that has to be called again
    ///     gets the same.
    /// - Throws: ``OAuthError`` `temporarily_unavailable` when the registration changes all the time;
    ///   ``StoreUnavailableError``.
    func push(
        _ request: BackchannelPushGrant.PushRequest,
        to client: Client,
        keeping keep: @escaping @Sendable (_ answer: [UInt8], Grant.ID, any Repositories) throws -> Void
    ) async throws -> PushResult {
        do {
            let sent = try await byRegistration(client, renewing: { $1 }) { client in
                PushResult.tokens(try await pushed.redeem(request, for: client, keeping: keep), to: client)
            }
            server.metrics.tokensIssued(.backchannelAuthentication)
            return sent
        } catch let refused as BackchannelPushGrant.PushError {
            return .refused(refused.code)
        }
    }

    /// The message to a client about a request whose tokens the server sends.
    enum PushResult: Sendable {
        /// The notification with the tokens, as JSON, and the registration that they were issued under.
        case tokens([UInt8], to: Client)
        case refused(OAuthError.Code)
    }
}
