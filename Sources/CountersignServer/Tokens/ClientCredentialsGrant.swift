internal import Countersign
internal import CountersignWire

/// A client asks for a token of its own, without a person.
///
/// Standard: RFC 6749 §4.4.
struct ClientCredentialsGrant: Sendable {
    let store: any Store
    let tokens: TokenIssuer
    let policy: Policy

    /// The token answer, as JSON.
    @inline(never)  // The caller's frame is kept while screens wait.
    func redeem(
        _ asked: Scope,
        for client: AuthenticatedClient,
        provenBy key: SenderKey?
    ) async throws -> [UInt8] {
        guard client.provenance == .verified else {
            throw OAuthError(
                .unauthorizedClient,
                "only confidential clients have rights of their own",
                because: "\(client.client.id) is public"
            )
        }
        // Words that make sense for a person only.
        let personal: Set<ScopeWord> = [.openid, .profile, .email, .groups, .offlineAccess, .nearbyApprove]
        let own = Scope(client.client.scope.words.filter { !personal.contains($0) })
        let scope = try own.permitting(asked, to: client.client.id)
        let prepared = try await tokens.prepare(
            TokenIssuer.Order(entitlement: .client(scope: scope), client: client.client, key: key))
        let id = client.client.id
        do {
            try await store.change { [policy] repositories in
                try ClientRegistrations(repositories).require(client.client, at: prepared.made)
                try policy.authorize(
                    .redemption, client: id, subject: nil, evidence: Evidence(), at: prepared.made, in: repositories)
                try prepared.record(in: repositories)
            }
        } catch is Policy.ViolationError {
            throw OAuthError(.invalidClient, "client authentication failed", because: "refused by policy")
        }
        return prepared.answer
    }
}
