internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// Redeems the grants of requests over the back channel itself, for clients that tokens are sent to.
///
/// Standard: OpenID CIBA Core 1.0 §10.3, §12.
struct BackchannelPushGrant: Sendable {
    private let core: ServerCore
    private let tokens: TokenIssuer
    private let redemption: GrantRedemption

    init(_ core: ServerCore, accounts: AccountServices, tokens: TokenIssuer) {
        self.core = core
        self.tokens = tokens
        redemption = GrantRedemption(core, accounts)
    }

    /// The notification of a client.
    enum Result: Sendable {
        /// The tokens, as JSON; their sign-in, and the registration that they were issued under.
        case tokens([UInt8], Grant.ID, to: Client)
        case refused(OAuthError.Code)
    }

    /// The reason why there are no tokens. The standard has three codes for a notification, and none says more.
    private struct PushError: Error {
        let code: OAuthError.Code
    }

    /// Issues the tokens of a request, and again when the client's registration changed in the meantime.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - name: The identifier that the client knows it by.
    ///   - client: The client as it is registered, as far as is known.
    ///   - keep: Keeps the notification in the change that issues the tokens, so that a client that has to be called
    ///     again gets the same.
    /// - Throws: ``OAuthError`` `temporarily_unavailable` when the registration changes all the time;
    ///   ``StoreUnavailableError``; what `keep` throws.
    func redeem(
        _ request: SignInRequest.ID,
        named name: AuthenticationRequestID,
        for client: Client,
        keeping keep: @escaping @Sendable (_ answer: [UInt8], Grant.ID, any Repositories) throws -> Void
    ) async throws -> Result {
        var client = client
        for _ in 0..<RegistrationChangedError.attempts {
            do {
                let result = try await issue(request, named: name, for: client, keeping: keep)
                core.metrics.tokensIssued(.backchannelAuthentication)
                return result
            } catch let change as RegistrationChangedError {
                client = change.present
            } catch let refused as PushError {
                return .refused(refused.code)
            }
        }
        throw RegistrationChangedError.tooOften(client.id)
    }

    private func issue(
        _ request: SignInRequest.ID,
        named name: AuthenticationRequestID,
        for client: Client,
        keeping keep: @escaping @Sendable (_ answer: [UInt8], Grant.ID, any Repositories) throws -> Void
    ) async throws -> Result {
        let approval = try await core.store.read { try find(request, in: $0) }
        let scope = client.allowed(approval.scope)
        guard scope.contains(.openid), client.grantTypes.contains(.backchannelAuthentication),
            !client.rules.requiresKey, client.backchannel.notificationEndpoint != nil
        else { throw PushError(code: .transactionFailed) }
        let prepared = try await tokens.prepare(
            TokenIssuer.Order(
                entitlement: .person(approval.person, approval.grant, scope: scope),
                client: client,
                key: nil,
                pushed: name
            )
        )
        try await core.store.change { repositories in
            let again = try find(request, in: repositories)
            try redemption.record(prepared, of: again, to: client, in: repositories)
            try keep(prepared.answer, again.grant.id, repositories)
        }
        return .tokens(prepared.answer, approval.grant.id, to: client)
    }

    private func find(_ id: SignInRequest.ID, in repositories: any Repositories) throws -> GrantRedemption.Approval {
        guard var stored = try repositories.exchanges.find(id) else { throw PushError(code: .expiredToken) }
        switch stored.exchange.redeem(at: core.clock.now()) {
        case .granted(let grant):
            guard let approval = try redemption.approval(grant, of: stored, in: repositories) else {
                throw PushError(code: .accessDenied)
            }
            return approval
        case .denied: throw PushError(code: stored.terms.isUnattainable ? .transactionFailed : .accessDenied)
        case .wait, .expired: throw PushError(code: .expiredToken)
        case .alreadySpent, .otherLink: throw PushError(code: .transactionFailed)
        }
    }
}
