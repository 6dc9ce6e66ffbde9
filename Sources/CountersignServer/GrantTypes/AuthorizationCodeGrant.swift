internal import Countersign
internal import CountersignWire
internal import Foundation

/// A client redeems the code that a browser brought it.
///
/// A code is redeemed once, by the client that asked for it, with the verifier of its challenge. A second use of a code
/// that fits in every way means that code and verifier were copied: what the code gave is revoked. A request that was
/// under way when the code was redeemed revokes nothing, because it may be a repetition by the client itself.
/// Standard: RFC 6749 §4.1.2, §4.1.3; RFC 7636 §4.6; RFC 9700 §2.1.1.
struct AuthorizationCodeGrant: Sendable {
    let store: any Store
    let tokens: TokenIssuer
    let redemption: GrantRedemption
    let clock: TimeSource

    /// What a client presents for a code.
    struct Presented: Sendable {
        let code: AuthorizationCode
        let redirectURI: String?
        let verifier: CodeVerifier?
        /// The key that the client proves, to which the tokens are bound; `nil` for none.
        let key: SenderKey?
    }

    private enum Found: Sendable {
        case granted(Grant, Person, SignInExchangeRecord, AuthorizationBinding)
        /// It was redeemed before, at this instant.
        case spent(Grant, at: Date)
        case refused(String)
    }

    /// The token answer, as JSON.
    ///
    /// - Throws: ``OAuthError`` `invalid_grant`; ``RegistrationChanged``.
    @inline(never)  // Its frame is large, and must not become part of a waiting task's frame.
    func redeem(_ presented: Presented, for client: AuthenticatedClient) async throws -> [UInt8] {
        let arrived = clock.now()
        let found = try await store.read { try find(presented, for: client.client, in: $0) }
        guard case .granted(let grant, let person, _, let binding) = found else {
            throw try await refusal(found, arrived: arrived)
        }
        let prepared = try await tokens.prepare(
            .person(person, grant, scope: try client.allowed(grant.scope)),
            for: client.client,
            in: .oauth2,
            boundTo: presented.key,
            nonce: binding.nonce,
            session: binding.session
        )
        let redeemed = try await store.change { repositories -> Found in
            let again = try find(presented, for: client.client, in: repositories)
            guard case .granted(_, _, let stored, _) = again else { return again }
            try repositories.requireRegistration(client.client, at: prepared.made)
            let way: NewDevice.Way = binding.session == nil ? .appToApp : .browser
            try redemption.record(prepared, of: grant, for: stored, by: way, .oauth2, in: repositories)
            return again
        }
        guard case .granted = redeemed else { throw try await refusal(redeemed, arrived: arrived) }
        return prepared.answer
    }

    /// Evaluates a presented code right now; changes nothing.
    private func find(
        _ presented: Presented,
        for client: Client,
        in repositories: any Repositories
    ) throws -> Found {
        guard var stored = try repositories.exchanges.find(presented.code.digest), let binding = stored.binding else {
            return .refused("unknown code")
        }
        guard stored.exchange.request.client.value == client.id else { return .refused("the code is another client's") }
        if let reason = objection(to: presented, by: client, under: binding) { return .refused(reason) }
        switch stored.exchange.redeem(at: clock.now()) {
        case .granted(let grant):
            guard let person = try redemption.person(of: grant, in: repositories) else {
                return .refused("refused by policy, or there is no such person")
            }
            return .granted(grant, person, stored, binding)
        case .alreadySpent:
            guard case .redeemed(let grant, at: let instant) = stored.exchange.state else {
                throw GrantRedemption.Contradiction()
            }
            return .spent(grant, at: instant)
        case .denied: return .refused("the approval was taken back")
        case .expired: return .refused("the code has expired")
        case .wait, .otherLink: throw GrantRedemption.Contradiction()
        }
    }

    /// Why the presented values do not fit the code; `nil` when they do.
    private func objection(
        to presented: Presented,
        by client: Client,
        under binding: AuthorizationBinding
    ) -> String? {
        guard presented.redirectURI == binding.redirectURI || presented.redirectURI == nil && !binding.namesRedirectURI
        else { return "another redirect_uri" }
        guard
            client.redirects.redirectURIs.contains(where: { RedirectURIRules.matchesExactly(binding.redirectURI, $0) })
        else { return "the redirect_uri is not registered any more" }
        guard let verifier = presented.verifier else { return "no code_verifier" }
        guard binding.challenge.isMet(by: verifier) else { return "another code_verifier" }
        guard binding.dpopKey == nil || binding.dpopKey.map({ .proof($0) }) == presented.key else {
            return "another DPoP key"
        }
        return nil
    }

    /// The refusal; ends what the code gave if it was redeemed before this request arrived.
    private func refusal(_ found: Found, arrived: Date) async throws -> OAuthError {
        let reason: String
        switch found {
        case .granted: throw GrantRedemption.Contradiction()
        case .refused(let why): reason = why
        case .spent(_, at: let instant) where arrived <= instant: reason = "the code was redeemed meanwhile"
        case .spent(let grant, _):
            reason = "the code was redeemed before; its sign-in is ended"
            try await end(grant)
        }
        return OAuthError(.invalidGrant, "the authorization code is not good", because: reason)
    }

    private func end(_ grant: Grant) async throws {
        let now = clock.now()
        try await store.change { repositories in
            guard let record = try repositories.signIns.find(grant.id), record.revoked == nil else { return }
            try repositories.record(
                AuditEntry.Facts(
                    at: now,
                    .codeReused,
                    by: .client,
                    subject: grant.subject,
                    client: grant.client,
                    request: record.request.id,
                    detail: "its sign-in was ended"
                )
            )
            try repositories.end(record, at: now)
        }
    }
}
