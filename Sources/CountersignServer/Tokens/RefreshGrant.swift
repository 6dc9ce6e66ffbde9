internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// A client replaces its refresh token by a new pair.
///
/// Each token is valid once. The token that was used last gets its answer again while the successor is unused, because
/// an answer may be lost on the way: for a request with the same identifier, or a proof of the same key; otherwise for
/// an hour in the same network, and for ten seconds from elsewhere. Any other use of a used token means that it was
/// stolen or copied, and every token of its grant is revoked. A token that is bound to a key needs a proof of that key;
/// without it nothing is revoked, since a thief could otherwise end the sign-in.
///
/// If the rules of the client say so, a token stays instead and may be used again and again: it is worth nothing
/// without the client's own credentials, and a lost answer is simply asked for anew.
/// Standard: RFC 6749 §6, RFC 9700 §4.14.2, RFC 9449 §5; FAPI 2.0 Security Profile §5.3.2.1. The repeated answer is an
/// addition of ours.
struct RefreshGrant: Sendable {
    let store: any Store
    let tokens: TokenIssuer
    let policy: Policy
    let redemption: GrantRedemption
    let lost: LostAnswers
    let clock: TimeSource

    /// A refresh token as it was presented.
    struct Presentation: Sendable {
        fileprivate let token: RefreshToken
        fileprivate let scope: Scope
        fileprivate let key: SenderKey?
        fileprivate let credential: AnsweredCredential
    }

    private enum TokenFinding: Sendable {
        case fresh(VerifiedRefreshTokenFamily)
        case answered([UInt8])
        /// Its answer may be repeated, with a fresh access token.
        case stale(LostAnswers.ExpiredAnswer, VerifiedRefreshTokenFamily)
        /// It was used before, and there is no answer to repeat.
        case reused(Grant.ID)
        case refused(String)
    }

    /// The credential that a request presents.
    ///
    /// - Parameters:
    ///   - key: The key that it proves; `nil` for none.
    ///   - id: The secret that the client drew for it; `nil` for none.
    ///   - address: The address of the client, if it can be seen.
    func presented(
        _ token: RefreshToken,
        scope: Scope,
        provenBy key: SenderKey?,
        _ id: TokenRequestID?,
        from address: String?
    ) -> Presentation {
        let credential = AnsweredCredential(token, shownBy: lost.proof(key, id, from: address))
        return Presentation(token: token, scope: scope, key: key, credential: credential)
    }

    /// The token answer, as JSON.
    ///
    /// - Throws: ``OAuthError`` `invalid_grant`, `invalid_scope`, `access_denied` for a person who is locked;
    ///   ``RegistrationChangedError``.
    @inline(never)  // Its frame is large, and must not become part of a waiting task's frame.
    func redeem(_ presented: Presentation, for client: AuthenticatedClient) async throws -> [UInt8] {
        guard let family = RefreshTokenFamily(of: presented.token)?.digest else {
            return try await settle(.refused("unknown token"))
        }
        let found = try await store.find(
            prefetching: [
                .refreshToken(family: family), .signInOfRefreshToken(family: family),
                .personOfRefreshToken(family: family), .client(client.client.id),
            ]
        ) { try find(presented, of: client.client, in: $0) }
        switch found {
        case .fresh(let fresh):
            return try await settle(try await replaced(presented, of: fresh, in: family, for: client))
        case .stale(let stale, let family):
            return try await settle(try await renewed(stale, of: family, to: presented, for: client))
        case .answered, .reused, .refused: return try await settle(found)
        }
    }

    /// Replaces a token, and keeps the answer for a client that does not receive it.
    private func replaced(
        _ presented: Presentation,
        of fresh: VerifiedRefreshTokenFamily,
        in family: SecretDigest,
        for client: AuthenticatedClient
    ) async throws -> TokenFinding {
        let (person, record) = (fresh.person, fresh.signIn)
        let granted = try client.allowed(try fresh.scope.permitting(presented.scope, to: client.client.id))
        let rotates = client.client.rules.rotatesRefreshTokens
        let prepared = try await tokens.prepare(
            TokenIssuer.Order(
                entitlement: .person(person, record.grant, scope: granted),
                client: client.client,
                key: presented.key,
                session: record.session,
                isRefreshable: rotates,
                replaced: presented.token
            )
        )
        let kept = try RepeatableAnswer(
            prepared.answer,
            to: presented.credential,
            .refreshToken,
            for: record.grant.id,
            within: lost.window,
            until: prepared.ends,
            at: prepared.made
        )
        // Another request may have used the token between the read and this change; then its answer is repeated.
        return try await store.change(
            prefetching: [
                .refreshToken(family: family), .signIn(record.grant.id), .person(person.subject),
                .client(client.client.id),
            ]
        ) { repositories -> TokenFinding in
            let again = try find(presented, of: client.client, in: repositories)
            guard case .fresh(let fresh) = again else {
                // The token was good when this request arrived, so that it is no sign of theft.
                if case .reused = again { return .refused("the token was used while this request waited") }
                return again
            }
            var (used, record) = (fresh.newest, fresh.signIn)
            try ClientRegistrations(repositories).require(client.client, at: prepared.made)
            try prepared.record(in: repositories)
            // The answer to the previous token is no longer repeated.
            if rotates {
                try repositories.repeatableAnswers.keep(kept.answered(at: clock.now()))
            } else {
                let end = prepared.made + client.client.lifetimes.refreshToken
                used.expires = min(end, record.grant.ends ?? end)
                try repositories.refreshTokens.update(used)
                try repositories.repeatableAnswers.remove(record.grant.id)
            }
            let ends = rotates ? prepared.ends : max(prepared.ends, used.expires)
            if record.note(prepared.made, until: ends) { try repositories.signIns.update(record) }
            return .answered(prepared.answer)
        }
    }

    /// Gives the same successor again, with a fresh access token.
    private func renewed(
        _ stale: LostAnswers.ExpiredAnswer,
        of family: VerifiedRefreshTokenFamily,
        to presented: Presentation,
        for client: AuthenticatedClient
    ) async throws -> TokenFinding {
        let parties = LostAnswers.Parties(client: client.client, person: family.person, signIn: family.signIn)
        let grant = family.signIn.grant.id
        let answer = try await lost.renewed(stale, to: presented.credential, of: parties, provenBy: presented.key) {
            switch try find(presented, of: client.client, in: $0) {
            case .answered(let answer): .answer(answer)
            case .stale(let stale, _): .stale(stale)
            case .fresh, .reused, .refused: .nothing
            }
        }
        guard case .answer(let answer) = answer else {
            return .refused("the successor was used while this request waited, in \(grant)")
        }
        return .answered(answer)
    }

    /// Evaluates a presented token right now; changes nothing.
    private func find(
        _ presented: Presentation,
        of client: Client,
        in repositories: any Repositories
    ) throws -> TokenFinding {
        let now = clock.now()
        let family: VerifiedRefreshTokenFamily
        switch try RefreshTokens(repositories).verified(presented.token, of: client, under: policy, at: now) {
        case .verified(let good): family = good
        // No sign-out: the token is good again when the person is unlocked and keeps their devices.
        case .locked: throw OAuthError(.accessDenied, "the account is locked", because: "the person is locked")
        case .ended:
            throw OAuthError(
                .invalidGrant, "the sign-in has ended, at the time that its person chose", because: "a chosen end")
        case .refused(let reason): return .refused(reason)
        }
        let bound = family.newest.key
        guard bound == nil || bound == presented.key else { return .refused("the token is bound to another key") }
        guard !family.isNewest else { return .fresh(family) }
        let grant = family.signIn.grant
        let found = try lost.find(presented.credential, of: grant.id, in: repositories)
        guard !found.isAbsent else {
            // Another request for the same answer, by a client that draws identifiers: no sign of theft for so long.
            let isRecent = try repositories.repeatableAnswers.find(grant.id).map {
                $0.credential == presented.credential.digest && $0.isRecent(at: now)
            }
            return isRecent == true ? .refused("the token was used a moment ago") : .reused(grant.id)
        }
        guard client.scope.covers(found) else { return .refused("the client's registration allows less now") }
        guard try family.scope.permitting(presented.scope, to: client.id).covers(found) else {
            throw OAuthError(.invalidScope, "the token was used for another scope", because: "\(presented.scope)")
        }
        switch found {
        case .nothing: return .reused(grant.id)
        case .answer(let answer): return .answered(answer)
        case .stale(let stale): return .stale(stale, family)
        }
    }

    private func settle(_ found: TokenFinding) async throws -> [UInt8] {
        let reason: String
        switch found {
        case .answered(let answer): return answer
        case .refused(let why): reason = why
        case .fresh, .stale: reason = "the store contradicts itself"
        case .reused(let grant):
            reason = "the token was used before; its sign-in is ended"
            try await redemption.endSignIn(of: grant, because: .refreshTokenReused)
        }
        throw OAuthError(.invalidGrant, "the refresh token is not good", because: reason)
    }
}

extension SignInRecord {
    /// The precision of a sign-in's last use and end, in seconds: writing each use to the second would double the
    /// writes of a refresh.
    private static let exactness: TimeInterval = 60

    /// Notes a use, after which the tokens are valid until `end`; returns whether the record has to be written.
    mutating func note(_ use: Date, until end: Date) -> Bool {
        guard abs(use.timeIntervalSince(lastUsed)) >= Self.exactness || end > ends else { return false }
        lastUsed = use
        // It must not be swept while a token is valid.
        ends = max(ends, end + Self.exactness)
        if let chosen = grant.ends { ends = min(ends, chosen) }
        return true
    }
}
