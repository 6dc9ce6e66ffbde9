internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// Repeats token answers that were lost on the way.
///
/// A repetition gives the same refresh token, never a second one. Within ten seconds it is the same answer byte for
/// byte; later it says how long the access token still lives, and has a fresh one where the first has expired.
///
/// An addition of ours to RFC 6749 §5.1; `Documentation/Standards.md` says who gets an answer again, and for how long.
struct LostAnswers: Sendable {
    let store: any Store
    let tokens: TokenIssuer
    let clock: TimeSource
    let addresses: ClientAddressResolver
    /// The time that an answer is repeated to a client that shows nothing but its network, in seconds.
    let window: TimeInterval

    init(_ core: ServerCore, _ services: TokenServices) {
        store = core.store
        tokens = services.issuer
        clock = core.clock
        addresses = core.addresses
        window = services.lostAnswerWindow
    }

    /// The answer to a credential that was used before.
    enum Finding: Sendable {
        /// There is none that may be repeated.
        case nothing
        /// It is repeated as it is.
        case answer([UInt8])
        /// Its access token or ID token has expired.
        case stale(ExpiredAnswer)
    }

    /// An answer whose refresh token alone is still good.
    final class ExpiredAnswer: Sendable {
        fileprivate let kept: RepeatableAnswer
        fileprivate let response: TokenResponse

        fileprivate init(_ kept: RepeatableAnswer, _ response: TokenResponse) {
            self.kept = kept
            self.response = response
        }

        /// The scope that the answer granted.
        var scope: Scope { response.scope ?? .none }
    }

    /// The parties to a stale answer.
    struct Parties: Sendable {
        let client: Client
        let person: Person
        let signIn: SignInRecord
        /// The nonce of the authorization request, which the ID token repeats; `nil` by default.
        var nonce: String?
    }

    /// The proof that gets a client an answer again.
    func proof(_ key: SenderKey?, _ id: TokenRequestID?, from address: String?) -> RequesterProof {
        RequesterProof(
            key, id, from: address.flatMap(addresses.comparable).map { CountedAddress.text(of: $0) })
    }

    /// Keeps the answer to a code, if it may be repeated.
    func keep(
        _ prepared: PreparedTokens,
        of approval: GrantRedemption.Approval,
        to credential: AnsweredCredential,
        in repositories: any Repositories
    ) throws {
        guard credential.isRepeatable else { return }
        try repositories.repeatableAnswers.keep(
            RepeatableAnswer(
                prepared.answer,
                to: credential,
                .code(deadline: approval.stored.exchange.request.deadline),
                for: approval.grant.id,
                within: window,
                until: prepared.ends,
                at: clock.now()
            )
        )
    }

    /// Finds the answer to a credential; changes nothing.
    ///
    /// - Parameters:
    ///   - credential: The credential that the client presents.
    ///   - grant: The sign-in that the credential gave, or belongs to.
    func find(
        _ credential: AnsweredCredential,
        of grant: Grant.ID,
        in repositories: any Repositories
    ) throws -> Finding {
        let now = clock.now()
        guard let kept = try repositories.repeatableAnswers.find(grant),
            let answer = kept.repeated(to: credential, within: window, at: now)
        else { return .nothing }
        if kept.isRecent(at: now) { return .answer(answer) }
        if let response = try? JSONDecoder().decode(CrossPlatformTokenResponse.self, from: Data(answer)) {
            // The device renews a token that has expired with its own credentials.
            let left = try secondsLeft(of: response.accessToken, in: repositories, at: now)
            return left.map { .answer(CompactJSON.bytes(of: response.expiring(in: $0))) } ?? .nothing
        }
        guard let response = try? JSONDecoder().decode(TokenResponse.self, from: Data(answer)) else { return .nothing }
        guard let left = try secondsLeft(of: response.accessToken, in: repositories, at: now),
            response.idToken == nil || now < kept.answered + Lifetimes.idToken
        else { return .stale(ExpiredAnswer(kept, response)) }
        let passed = Int(min(max(0, now.timeIntervalSince(kept.answered)), 1e9))
        return .answer(
            CompactJSON.bytes(
                of: response.with(
                    expiresIn: left, response.refreshToken, authorizationExpiresIn: { max(0, $0 - passed) })))
    }

    private func secondsLeft(
        of token: AccessToken,
        in repositories: any Repositories,
        at now: Date
    ) throws -> Int? {
        guard let record = try repositories.accessTokens.find(token.digest) else { return nil }
        let seconds = Int(min(record.expires.timeIntervalSince(now), 1e9))
        return seconds > 0 ? seconds : nil
    }

    /// Gives a stale answer again with a fresh access token.
    ///
    /// - Parameters:
    ///   - again: Finds the answer once more, in the change that stores the new token.
    /// - Returns: The answer; or what is there now, if that changed in the meantime.
    /// - Throws: ``RegistrationChangedError``; ``StoreUnavailableError``; what `again` throws.
    @inline(never)  // Its frame is large, and must not become part of a waiting task's frame.
    func renewed(
        _ stale: ExpiredAnswer,
        to credential: AnsweredCredential,
        of parties: Parties,
        provenBy key: SenderKey?,
        finding again: @escaping @Sendable (any Repositories) throws -> Finding
    ) async throws -> Finding {
        let prepared = try await tokens.prepare(
            TokenIssuer.Order(
                entitlement: .person(parties.person, parties.signIn.grant, scope: stale.scope),
                client: parties.client,
                key: key,
                nonce: parties.nonce,
                session: parties.signIn.session,
                isRefreshable: false
            )
        )
        let response = try JSONDecoder().decode(TokenResponse.self, from: Data(prepared.answer))
        let answer = CompactJSON.bytes(
            of: response.with(expiresIn: response.expiresIn, stale.response.refreshToken))
        let kept = try stale.kept.replaced(by: answer, to: credential)
        return try await store.change { repositories in
            let found = try again(repositories)
            guard case .stale(let present) = found, present.kept == stale.kept else { return found }
            try ClientRegistrations(repositories).require(parties.client, at: prepared.made)
            try prepared.record(in: repositories)
            try repositories.repeatableAnswers.keep(kept)
            if var record = try repositories.signIns.find(kept.grant), record.note(prepared.made, until: prepared.ends)
            {
                try repositories.signIns.update(record)
            }
            return .answer(answer)
        }
    }
}

extension TokenResponse {
    /// The same with another span of the access token's life, in seconds, and another refresh token.
    ///
    /// - Parameter left: Returns what is left of the authorization's life, in seconds; unchanged by default.
    fileprivate func with(
        expiresIn seconds: Int?,
        _ refreshToken: RefreshToken?,
        authorizationExpiresIn left: (Int) -> Int = { $0 }
    ) -> TokenResponse {
        TokenResponse(
            accessToken: accessToken,
            tokenType: tokenType,
            expiresIn: seconds,
            refreshToken: refreshToken,
            scope: scope,
            idToken: idToken,
            issuedTokenType: issuedTokenType,
            authorizationExpiresIn: authorizationExpiresIn.map(left)
        )
    }
}

extension CrossPlatformTokenResponse {
    /// The same, told when less of the token's life is left.
    fileprivate func expiring(in seconds: Int) -> CrossPlatformTokenResponse {
        CrossPlatformTokenResponse(
            accessToken: accessToken,
            tokenType: tokenType,
            expiresIn: seconds,
            domain: domain,
            domainDisplayName: domainDisplayName,
            userName: userName
        )
    }
}

extension LostAnswers.Finding {
    /// The answer, if it is repeated as it is.
    var answer: [UInt8]? {
        if case .answer(let answer) = self { answer } else { nil }
    }

    var isAbsent: Bool {
        if case .nothing = self { true } else { false }
    }
}

extension Scope {
    /// Whether it has every word that an earlier answer granted.
    func covers(_ found: LostAnswers.Finding) -> Bool {
        struct GrantedScope: Decodable {
            let scope: String?
        }
        switch found {
        case .nothing: return false
        case .stale(let stale): return stale.scope.isSubset(of: self)
        case .answer(let answer):
            guard let granted = try? JSONDecoder().decode(GrantedScope.self, from: Data(answer)) else { return false }
            return Scope(parsing: granted.scope ?? "")?.isSubset(of: self) ?? false
        }
    }
}
