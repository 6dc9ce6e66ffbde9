internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// A client redeems the code that a browser brought it.
///
/// A code is redeemed once, by the client that asked for it, with the verifier of its challenge. Until what it gave was
/// used, or the code has expired, the client gets the answer again, because an answer may be lost on the way: with the
/// identifier of its request. Any other use of a code that fits in every way means that code and verifier were copied:
/// what the code gave is revoked. A request that was under way when the code was redeemed revokes nothing, because it
/// may be a repetition by the client itself.
/// Standard: RFC 6749 §4.1.2, §4.1.3; RFC 7636 §4.6; RFC 9700 §2.1.1. The repeated answer is an addition of ours.
struct AuthorizationCodeGrant: Sendable {
    let tokens: TokenIssuer
    let redemption: GrantRedemption
    let lost: LostAnswers
    let clock: TimeSource

    /// The code that a client presents, and its proofs.
    struct Presentation: Sendable {
        let code: AuthorizationCode
        let redirectURI: String?
        let verifier: CodeVerifier?
        /// The key that the client proves, which the tokens are bound to; `nil` for none.
        let key: SenderKey?
        /// The time when the request arrived.
        let arrived: Date
        /// The secret that the client drew for the request; `nil` for none.
        let id: TokenRequestID?

        fileprivate var credential: AnsweredCredential { AnsweredCredential(code, of: id) }
    }

    /// The reason why a code gives nothing.
    private enum CodeError: Error {
        /// It was redeemed before, at this instant.
        case spent(Grant.ID, at: Date)
        case unfit(String)
    }

    /// The token answer, as JSON.
    ///
    /// - Throws: ``OAuthError`` `invalid_grant`; ``RegistrationChangedError``.
    @inline(never)  // Its frame is large, and must not become part of a waiting task's frame.
    func redeem(_ presented: Presentation, for client: AuthenticatedClient) async throws -> [UInt8] {
        do {
            let approval = try await lost.store.read { try find(presented, for: client.client, in: $0) }
            let binding = approval.stored.method.binding
            let scope = try client.allowed(approval.scope)
            let prepared = try await tokens.prepare(
                TokenIssuer.Order(
                    entitlement: .person(approval.person, approval.grant, scope: scope),
                    client: client.client,
                    key: presented.key,
                    nonce: binding?.nonce,
                    session: approval.stored.session
                )
            )
            try await lost.store.change { repositories in
                let again = try find(presented, for: client.client, in: repositories)
                try redemption.record(prepared, of: again, to: client.client, in: repositories)
                try lost.keep(prepared, of: again, to: presented.credential, in: repositories)
            }
            return prepared.answer
        } catch let refused as CodeError {
            if case .spent = refused, let answer = try await repeated(presented, for: client) { return answer }
            throw try await refusal(refused, arrived: presented.arrived)
        }
    }

    /// The answer to a code that was redeemed before, if it may be repeated.
    private func repeated(_ presented: Presentation, for client: AuthenticatedClient) async throws -> [UInt8]? {
        let (found, parties) = try await lost.store.read { try repetition(of: presented, for: client.client, in: $0) }
        guard case .stale(let stale) = found, let parties else { return found.answer }
        return try await lost.renewed(stale, to: presented.credential, of: parties, provenBy: presented.key) {
            try repetition(of: presented, for: client.client, in: $0).0
        }.answer
    }

    private func repetition(
        of presented: Presentation,
        for client: Client,
        in repositories: any Repositories
    ) throws -> (LostAnswers.Finding, LostAnswers.Parties?) {
        do {
            _ = try find(presented, for: client, in: repositories)
        } catch CodeError.spent(let id, at: _) {
            let found = try lost.find(presented.credential, of: id, in: repositories)
            guard var parties = try redemption.parties(to: found, of: id, for: client, in: repositories) else {
                return (.nothing, nil)
            }
            parties.nonce = try repositories.exchanges.find(presented.code.digest)?.method.binding?.nonce
            return (found, parties)
        } catch is CodeError {}
        return (.nothing, nil)
    }

    /// Evaluates a presented code right now; changes nothing.
    ///
    /// - Throws: ``CodeError``.
    private func find(
        _ presented: Presentation,
        for client: Client,
        in repositories: any Repositories
    ) throws -> GrantRedemption.Approval {
        guard var stored = try repositories.exchanges.find(presented.code.digest),
            case .authorizationCode(let binding) = stored.method
        else {
            throw CodeError.unfit("unknown code")
        }
        guard stored.exchange.request.client.value == client.id else {
            throw CodeError.unfit("the code is another client's")
        }
        if let reason = objection(to: presented, by: client, under: binding) { throw CodeError.unfit(reason) }
        switch stored.exchange.redeem(at: clock.now()) {
        case .granted(let grant):
            guard let approval = try redemption.approval(grant, of: stored, in: repositories) else {
                throw CodeError.unfit("refused by policy, or there is no such person")
            }
            return approval
        case .alreadySpent:
            guard case .redeemed(let grant, at: let instant) = stored.exchange.state else {
                throw ContradictoryRequestError()
            }
            throw CodeError.spent(grant.id, at: instant)
        case .denied: throw CodeError.unfit("the approval was taken back")
        case .expired: throw CodeError.unfit("the code has expired")
        case .wait, .otherLink: throw ContradictoryRequestError()
        }
    }

    /// The reason why the presented values do not fit the code; `nil` when they do.
    private func objection(
        to presented: Presentation,
        by client: Client,
        under binding: AuthorizationBinding
    ) -> String? {
        guard presented.redirectURI == binding.redirectURI || presented.redirectURI == nil && !binding.namesRedirectURI
        else { return "another redirect_uri" }
        guard
            client.redirects.redirectURIs.contains(where: { RedirectURIRules.matchesExactly(binding.redirectURI, $0) })
        else { return "the redirect_uri is not registered any more" }
        // Standard: RFC 9700 §2.1.1: a verifier without a challenge means that the challenge was taken away.
        switch (binding.challenge, presented.verifier) {
        case (nil, nil): break
        case (nil, _): return "a code_verifier for a request without code_challenge"
        case (_, nil): return "no code_verifier"
        case (let challenge?, let verifier?):
            guard challenge.isMet(by: verifier) else { return "another code_verifier" }
        }
        guard binding.dpopKey == nil || binding.dpopKey.map({ .proof($0) }) == presented.key else {
            return "another DPoP key"
        }
        return nil
    }

    /// The refusal; ends what the code gave if it was redeemed before this request arrived.
    private func refusal(_ refused: CodeError, arrived: Date) async throws -> OAuthError {
        let reason: String
        switch refused {
        case .unfit(let why): reason = why
        case .spent(_, at: let instant) where arrived <= instant: reason = "the code was redeemed meanwhile"
        case .spent(let grant, at: _):
            reason = "the code was redeemed before; its sign-in is ended"
            try await redemption.endSignIn(of: grant, because: .codeReused)
        }
        return OAuthError(.invalidGrant, "the authorization code is not good", because: reason)
    }
}
