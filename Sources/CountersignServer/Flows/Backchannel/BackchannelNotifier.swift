internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// Prepares the notifications of clients about decisions over the back channel.
///
/// In the mode *push* the grant is redeemed here: the tokens are valid before they are sent, and a client that has to
/// be called again gets the same ones.
/// Standard: OpenID CIBA Core 1.0 §10.2, §10.3, §12.
struct BackchannelNotifier: NoticeSource {
    private let core: ServerCore
    private let tokens: TokenIssuer
    private let pushes: BackchannelPushGrant

    init(_ services: FlowServices) {
        core = services.core
        tokens = services.tokens.issuer
        pushes = BackchannelPushGrant(core, accounts: services.accounts, tokens: tokens)
    }

    func logoutToken(of session: SessionID, for subject: Subject, to client: Client) async throws -> String {
        try await tokens.logoutToken(of: session, for: subject, to: client)
    }

    func action(for notice: ClientNotice, about id: SignInRequest.ID, to client: Client) async throws -> NoticeAction {
        let keys = try await core.keys.current()
        guard client.notifications != nil else { return .nothing }
        guard let secrets = notice.sealed.flatMap({ NotificationSecrets(opening: $0, for: id, with: keys) }) else {
            let stored = try await core.store.read { try $0.exchanges.find(id) }
            return notice.grant != nil || stored.map(isExpected) == true ? .unreadable : .nothing
        }
        if let grant = notice.grant, let answer = secrets.answer {
            guard try await isStanding(grant) else {
                return call(try refusal(.accessDenied, secrets), secrets, to: client)
            }
            return call(answer, secrets, of: grant, to: client)
        }
        guard let stored = try await core.store.read({ try $0.exchanges.find(id) }),
            case .backchannel(let terms) = stored.method
        else { return .nothing }
        switch terms.deliveryMode {
        case .poll: return .nothing
        case .ping:
            return isAwaited(stored) ? call(try bytes(.decided(secrets.requestID)), secrets, to: client) : .nothing
        case .push:
            return try await pushed(id, secrets, notice, to: client, sealing: keys)
        }
    }

    /// - Parameter grant: The sign-in of the tokens that it brings; `nil`, the default, for none.
    private func call(
        _ json: [UInt8],
        _ secrets: NotificationSecrets,
        of grant: Grant.ID? = nil,
        to client: Client
    ) -> NoticeAction {
        guard let endpoint = client.notifications else { return .nothing }
        var call = NoticeCall(to: endpoint, showing: secrets.notificationToken, posting: json)
        call.grant = grant
        return .call(call)
    }

    /// Whether a client would get a notification of a request now.
    private func isExpected(_ stored: SignInExchangeRecord) -> Bool {
        guard case .backchannel(let terms) = stored.method else { return false }
        return switch terms.deliveryMode {
        case .poll: false
        case .ping: isAwaited(stored)
        case .push: true
        }
    }

    /// Whether a client in the mode *ping* still has something to fetch.
    private func isAwaited(_ stored: SignInExchangeRecord) -> Bool {
        switch stored.exchange.state {
        case .approved, .denied: core.clock.now() < stored.exchange.request.deadline
        case .open, .taken, .redeemed, .cancelled: false
        }
    }

    /// Whether the person has not ended a sign-in since its tokens were issued.
    private func isStanding(_ grant: Grant.ID) async throws -> Bool {
        let record = try await core.store.read { try $0.signIns.find(grant) }
        return record.map { $0.revoked == nil } == true
    }

    /// The notification with the tokens, or with the reason why there are none.
    private func pushed(
        _ id: SignInRequest.ID,
        _ secrets: NotificationSecrets,
        _ notice: ClientNotice,
        to client: Client,
        sealing keys: Keys
    ) async throws -> NoticeAction {
        let result = try await pushes.redeem(id, named: secrets.requestID, for: client) { answer, grant, repositories in
            var (notice, secrets) = (notice, secrets)
            secrets.answer = answer
            notice.sealed = try secrets.sealed(for: id, under: keys)
            notice.grant = grant
            try repositories.clientNotices.update(notice)
        }
        switch result {
        case .tokens(let answer, let grant, to: let current): return call(answer, secrets, of: grant, to: current)
        case .refused(let code): return call(try refusal(code, secrets), secrets, to: client)
        }
    }

    private func refusal(_ code: OAuthError.Code, _ secrets: NotificationSecrets) throws -> [UInt8] {
        let error = OAuthErrorResponse(OAuthError(code, because: "pushed"))
        return try bytes(.refused(error, for: secrets.requestID))
    }

    private func bytes(_ notification: BackchannelNotification) throws -> [UInt8] {
        Array(try JSONEncoder.wire.encode(notification))
    }
}

extension Client {
    /// The address for notifications of decisions; `nil` for none.
    fileprivate var notifications: Endpoint? {
        backchannel.notificationEndpoint.flatMap { try? Endpoint($0) }
    }
}
