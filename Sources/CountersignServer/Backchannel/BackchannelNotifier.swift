internal import CoreMetrics
internal import Countersign
internal import CountersignWire
internal import Foundation

/// Prepares the calls by which clients learn of decisions over the back channel.
///
/// In the mode *push* it redeems the grant: the tokens are valid before they are sent, and a client that has to be called
/// again gets the same ones.
/// Standard: OpenID CIBA Core 1.0 §10.2, §10.3, §12.
struct BackchannelNotifier: Sendable {
    private let store: any Store
    private let keys: KeyRing
    private let tokens: TokenIssuer
    private let redemption: GrantRedemption
    private let clock: TimeSource
    private let metrics: ServerMetrics

    init(_ server: ServerServices) {
        store = server.store
        keys = server.keys
        tokens = server.tokens
        redemption = GrantRedemption(server)
        clock = server.clock
        metrics = server.metrics
    }

    /// The call that tells a client what became of a request; `nil` when it need not be told, or not any more.
    func call(for notice: ClientNotice, about id: SignInRequest.ID, to client: Client) async throws -> NoticeCall? {
        let keys = try await keys.current()
        guard let address = client.backchannel.notificationEndpoint, let endpoint = try? Endpoint(address),
            let secrets = notice.sealed.flatMap({ NotificationSecrets(opening: $0, for: id, with: keys) })
        else { return nil }
        let json: [UInt8]?
        if let grant = notice.grant, let answer = secrets.answer {
            json = try await again(answer, of: grant, secrets)
        } else if let stored = try await store.read({ try $0.exchanges.find(id) }), let terms = stored.backchannel {
            switch terms.deliveryMode {
            case .poll: json = nil
            case .ping: json = try isAwaited(stored) ? bytes(.decided(secrets.requestID)) : nil
            case .push: json = try await pushed(stored.id, secrets, notice, to: client, sealing: keys)
            }
        } else {
            json = nil
        }
        return json.map { NoticeCall(to: endpoint, showing: secrets.notificationToken, posting: $0) }
    }

    /// Whether a client that polls when it is told has still something to fetch.
    private func isAwaited(_ stored: SignInExchangeRecord) -> Bool {
        switch stored.exchange.state {
        case .approved, .denied: clock.now() < stored.exchange.request.deadline
        case .open, .taken, .redeemed: false
        }
    }

    /// The notification with the tokens once more, unless the person ended the sign-in since.
    private func again(
        _ answer: [UInt8],
        of grant: Grant.ID,
        _ secrets: NotificationSecrets
    ) async throws -> [UInt8] {
        let record = try await store.read { try $0.signIns.find(grant) }
        return try record.map { $0.revoked == nil } == true ? answer : refusal(.accessDenied, secrets)
    }

    /// The notification with the tokens, or with the reason why there are none.
    private func pushed(
        _ id: SignInRequest.ID,
        _ secrets: NotificationSecrets,
        _ notice: ClientNotice,
        to client: Client,
        sealing keys: Keys
    ) async throws -> [UInt8] {
        switch try await redeem(id, secrets, notice, for: client, sealing: keys) {
        case .tokens(let answer):
            metrics.tokensIssued(.backchannelAuthentication)
            return answer
        case .refused(let code):
            return try refusal(code, secrets)
        }
    }

    private enum Redeemed: Sendable {
        case tokens([UInt8])
        case refused(OAuthError.Code)
    }

    /// The grant of a request and the person who gave it, or why there is none.
    private enum Standing: Sendable {
        case granted(Grant, Person, SignInExchangeRecord)
        case refused(OAuthError.Code)
    }

    private func redeem(
        _ id: SignInRequest.ID,
        _ secrets: NotificationSecrets,
        _ notice: ClientNotice,
        for client: Client,
        sealing keys: Keys
    ) async throws -> Redeemed {
        let grant: Grant
        let person: Person
        switch try await store.read({ try standing(of: id, in: $0) }) {
        case .refused(let code): return .refused(code)
        case .granted(let given, let giver, _): (grant, person) = (given, giver)
        }
        let scope = client.allowed(grant.scope)
        guard scope.contains(.openid), client.grantTypes.contains(.backchannelAuthentication),
            !client.rules.requiresKey
        else { return .refused(.transactionFailed) }
        let prepared = try await tokens.prepare(
            .person(person, grant, scope: scope),
            for: client,
            in: .oauth2,
            boundTo: nil,
            pushedFor: secrets.requestID
        )
        var secrets = secrets
        secrets.answer = prepared.answer
        var notice = notice
        notice.sealed = try secrets.sealed(for: id, under: keys)
        notice.grant = grant.id
        return try await store.change { [notice] repositories in
            switch try standing(of: id, in: repositories) {
            case .refused(let code):
                return .refused(code)
            case .granted(_, _, let again):
                try repositories.requireRegistration(client, at: prepared.made)
                try redemption.record(prepared, of: grant, for: again, by: .backChannel, .oauth2, in: repositories)
                try repositories.clientNotices.update(notice)
                return .tokens(prepared.answer)
            }
        }
    }

    /// Where a request stands right now; a grant is spent in the exchange that is returned.
    private func standing(of id: SignInRequest.ID, in repositories: any Repositories) throws -> Standing {
        guard var stored = try repositories.exchanges.find(id) else { return .refused(.expiredToken) }
        switch stored.exchange.redeem(over: [], at: clock.now()) {
        case .granted(let grant):
            guard let person = try redemption.person(of: grant, in: repositories) else {
                return .refused(.accessDenied)
            }
            return .granted(grant, person, stored)
        // The standard has three codes for a notification, and none says why.
        case .denied: return .refused(stored.terms.isUnmet ? .transactionFailed : .accessDenied)
        case .wait, .expired: return .refused(.expiredToken)
        case .alreadySpent, .otherLink: return .refused(.transactionFailed)
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
