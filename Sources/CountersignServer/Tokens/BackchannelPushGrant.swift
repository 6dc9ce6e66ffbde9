internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The server redeems the grant of a request over the back channel itself, and sends the tokens to the client.
///
/// Standard: OpenID CIBA Core 1.0 §10.3, §12.
struct BackchannelPushGrant: Sendable {
    let tokens: TokenIssuer
    let redemption: GrantRedemption
    let clock: TimeSource

    /// A request whose tokens are to be sent.
    struct PushRequest: Sendable {
        let id: SignInRequest.ID
        /// The same as the client knows it.
        let name: AuthenticationRequestID
    }

    /// The reason why there are no tokens. The standard has three codes for a notification, and none says more.
    struct PushError: Error {
        let code: OAuthError.Code
    }

    /// The notification with the tokens, as JSON.
    ///
    /// - Parameter keep: Keeps it, in the change that issues the tokens.
    /// - Throws: ``PushError``; ``RegistrationChangedError``; ``StoreUnavailableError``; what `keep` throws.
    func redeem(
        _ asked: PushRequest,
        for client: Client,
        keeping keep: @escaping @Sendable (_ answer: [UInt8], Grant.ID, any Repositories) throws -> Void
    ) async throws -> [UInt8] {
        try await redemption.redeem(
            for: client,
            finding: { try find(asked.id, in: $0) },
            preparing: { approval in
                let scope = client.allowed(approval.grant.scope)
                guard scope.contains(.openid), client.grantTypes.contains(.backchannelAuthentication),
                    !client.rules.requiresKey, client.backchannel.notificationEndpoint != nil
                else { throw PushError(code: .transactionFailed) }
                return try await tokens.prepare(
                    .person(approval.person, approval.grant, scope: scope),
                    for: client,
                    in: .oauth2,
                    boundTo: nil,
                    pushedFor: asked.name
                )
            },
            also: { approval, prepared, repositories in
                try keep(prepared.answer, approval.grant.id, repositories)
            }
        )
    }

    private func find(
        _ id: SignInRequest.ID,
        in repositories: any Repositories
    ) throws -> GrantRedemption.Approval {
        guard var stored = try repositories.exchanges.find(id) else { throw PushError(code: .expiredToken) }
        switch stored.exchange.redeem(over: [], at: clock.now()) {
        case .granted(let grant):
            guard let person = try redemption.person(of: grant, in: repositories) else {
                throw PushError(code: .accessDenied)
            }
            return GrantRedemption.Approval(grant: grant, person: person, stored: stored)
        case .denied: throw PushError(code: stored.terms.isUnattainable ? .transactionFailed : .accessDenied)
        case .wait, .expired: throw PushError(code: .expiredToken)
        case .alreadySpent, .otherLink: throw PushError(code: .transactionFailed)
        }
    }
}
