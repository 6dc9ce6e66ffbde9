internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import FoundationEssentialsCompat

/// A token of another provider that was verified; made by ``SubjectTokenVerifier`` alone.
struct VerifiedSubjectToken: Sendable {
    let identity: ProvenIdentity
    let provider: IdentityProvider
    /// The use of it, which is limited.
    let use: SubjectTokenUse

    fileprivate init(_ identity: ProvenIdentity, of provider: IdentityProvider, use: SubjectTokenUse) {
        self.identity = identity
        self.provider = provider
        self.use = use
    }
}

/// Limits how often a foreign token is exchanged, on all nodes together.
struct SubjectTokenUse: Sendable {
    fileprivate enum Limit: Sendable {
        /// An ID token is a statement of the moment.
        case once
        /// A token that lasts for weeks is presented again whenever its app starts anew, and nothing in it tells one
        /// use from another.
        case often
    }

    fileprivate let token: SecretDigest
    fileprivate let limit: Limit
    /// The nonce of this server that an ID token was presented with, and that its exchange uses up; `nil` for any
    /// other.
    fileprivate var nonce: SecretDigest?

    /// The time for remembering the use of an ID token or a nonce, in seconds: longer than
    /// ``SubjectTokenVerifier/longestAge`` and ``TokenExchangeNonces/lifetime`` and what clocks may differ, so that
    /// either is too old before its use is forgotten.
    static let memory: TimeInterval = SubjectTokenVerifier.longestAge + 4 * ParsedIDToken.leeway

    /// Notes the use in the change that depends on it.
    ///
    /// - Throws: ``SubjectTokenError`` when an ID token was exchanged before, or its nonce used; ``RateLimitError``.
    func note(in repositories: any Repositories, by limits: StoredRateLimiter) throws {
        switch limit {
        case .once:
            let now = limits.clock.now()
            let ends = now + Self.memory
            guard try SingleUse(.exchangePerIDToken, of: token, until: ends).isFirst(in: repositories, at: now) else {
                throw SubjectTokenError(because: "it was exchanged before")
            }
            let use = nonce.map { SingleUse(.exchangePerNonce, of: $0, until: ends) }
            guard try use?.isFirst(in: repositories, at: now) ?? true else {
                throw SubjectTokenError(because: "its nonce was used before")
            }
        case .often:
            try limits.admitAndCount([.name(URLSafeText.encode(token.bytes), .exchangePerToken)], in: repositories)
        }
    }
}

/// Verifies the tokens of other providers that clients exchange.
struct SubjectTokenVerifier: Sendable {
    let store: any Store
    let providers: OpenIDProviderClient
    let keys: KeyRing
    let transport: any HTTPTransport
    let clock: TimeSource
    let random: RandomSource
    let confirmed = ConfirmedTokens()

    /// The maximum age of an ID token, in seconds. The app got it a moment ago.
    static let longestAge: TimeInterval = 600
    /// The longest token that is presented to a provider, in bytes; it stands in an address or a header.
    static let longestToken = 1_000

    /// Verifies the token of a request.
    ///
    /// - Parameters:
    ///   - asked: The request.
    ///   - client: The client that presents it.
    /// - Throws: ``SubjectTokenError``; ``OAuthError`` `invalid_request` for a provider or kind of token that is not
    ///   supported and for a nonce that is missing, `unauthorized_client` for a client that may not vouch for tokens,
    ///   `temporarily_unavailable` when the provider has to be asked and cannot; ``StoreUnavailableError``.
    func verify(
        _ asked: TokenExchangeRequest,
        for client: AuthenticatedClient
    ) async throws -> VerifiedSubjectToken {
        let all = try await store.read { try $0.identityProviders.all() }
        let possible = try SubjectTokenChoice(among: all).providers(for: asked)
            .filter { $0.isExchanged(by: client.client.id) }
        guard !possible.isEmpty else {
            throw OAuthError(
                .unauthorizedClient,
                "the client may not present tokens of this provider",
                because: "\(client.client.id) is not among those that exchange them"
            )
        }
        if asked.subjectTokenType == .idToken {
            return try await verify(
                idToken: UnverifiedIDToken(revealing: asked.subjectToken.revealed),
                with: asked.nonce,
                for: client.client.id,
                among: possible
            )
        }
        guard let provider = possible.first, possible.count == 1 else { throw SubjectTokenChoice.ambiguous }
        try requireVoucher(client, at: provider)
        do throws(ProviderError) {
            let (person, how, canonical) = try await confirm(asked.subjectToken, at: provider)
            let identity = ProvenIdentity(
                confirmedBy: provider.issuer,
                subject: person.subject,
                how: how,
                name: person.name,
                at: person.confirmed
            )
            let use = SubjectTokenUse(token: SecretDigest(of: "\(provider.id)\n\(canonical)"), limit: .often)
            return VerifiedSubjectToken(identity, of: provider, use: use)
        } catch {
            throw Self.refusal(error, at: provider)
        }
    }

    /// Demands a client that is trusted to vouch for tokens, if the provider does not say which app a token was made
    /// for.
    private func requireVoucher(_ client: AuthenticatedClient, at provider: IdentityProvider) throws(OAuthError) {
        guard case .bearer(let settings) = provider.kind else { return }
        guard settings.vouchers.contains(client.client.id), client.provenance == .verified else {
            throw OAuthError(
                .unauthorizedClient,
                "the client may not present tokens of this provider",
                because: "\(provider.id): \(client.client.id) is no voucher, or did not authenticate"
            )
        }
    }

    /// The person of a token that only its provider can read, how that was found out, and the token in the one form in
    /// which its uses are counted.
    private func confirm(
        _ token: SubjectToken,
        at provider: IdentityProvider
    ) async throws(ProviderError) -> (ConfirmedPerson, FederatedProof, canonical: String) {
        let (transport, clock) = (transport, clock)
        switch provider.kind {
        case .openID: throw ProviderError(.token, because: "it is no ID token")
        case .socialGraph(let settings):
            let read = try accessToken(token)
            let graph = SocialGraphConfirmation(settings: settings, transport: transport, clock: clock)
            let person = try await confirmed.person(of: read.revealed, at: provider, now: clock.now()) {
                () async throws(ProviderError) in try await graph.person(of: read)
            }
            return (person, .accessToken, read.revealed)
        case .oauth1(let settings):
            let read = try credentials(token)
            let signing = OAuth1Confirmation(settings: settings, transport: transport, clock: clock, random: random)
            let canonical = read.form.encoded
            let person = try await confirmed.person(of: canonical, at: provider, now: clock.now()) {
                () async throws(ProviderError) in try await signing.person(of: read)
            }
            return (person, .oauth1, canonical)
        case .bearer(let settings):
            let read = try accessToken(token)
            let asking = BearerConfirmation(settings: settings, transport: transport, clock: clock)
            let person = try await confirmed.person(of: read.revealed, at: provider, now: clock.now()) {
                () async throws(ProviderError) in try await asking.person(of: read)
            }
            return (person, .vouchedToken, read.revealed)
        }
    }

    /// An access token that can stand in a header.
    private func accessToken(_ presented: SubjectToken) throws(ProviderError) -> AccessToken {
        let token = AccessToken(revealing: presented.revealed)
        guard token.revealed.utf8.count <= Self.longestToken,
            BearerHeader.token(in: BearerHeader.value(for: token)) == token
        else { throw ProviderError(.token, because: "it has not the form of an access token") }
        return token
    }

    /// Token and secret of OAuth 1.0, as a form.
    private func credentials(_ presented: SubjectToken) throws(ProviderError) -> TokenCredentials {
        guard presented.revealed.utf8.count <= Self.longestToken,
            let form = try? Form(parsing: Array(presented.revealed.utf8)),
            let credentials = try? TokenCredentials(form: form)
        else { throw ProviderError(.token, because: "it has not the form oauth_token=…&oauth_token_secret=…") }
        return credentials
    }

    private func verify(
        idToken token: UnverifiedIDToken,
        with nonce: SubjectTokenNonce?,
        for client: ClientID,
        among possible: [IdentityProvider]
    ) async throws -> VerifiedSubjectToken {
        let read: ParsedIDToken
        do throws(IDTokenError) {
            read = try ParsedIDToken(token)
        } catch {
            throw SubjectTokenError(because: error.reason)
        }
        // The unverified claims choose the provider whose keys verify the token, and no more.
        let provider = possible.first { provider in
            provider.issuer.rawValue == read.unverifiedIssuer
                && provider.kind.exchangeAudiences.contains { read.unverifiedAudience.names.contains($0.rawValue) }
        }
        guard let provider else { throw SubjectTokenError(because: "no provider exchanges it for this audience") }
        var demands = ParsedIDToken.Demands(issuer: provider.issuer.rawValue, clients: provider.kind.exchangeAudiences)
        demands.parties = provider.kind.exchangeParties
        demands.longestAge = Self.longestAge
        let rule = provider.kind.exchangeNonce ?? .matching
        demands.nonce = try rule.demand(of: nonce)
        var use = SubjectTokenUse(token: read.statementDigest, limit: .once)
        if rule == .issued, let nonce { use.nonce = try await digest(ofIssued: nonce, to: client) }
        do throws(ProviderError) {
            let identity = try await providers.identity(in: token, of: provider, meeting: demands, how: .idToken)
            return VerifiedSubjectToken(identity, of: provider, use: use)
        } catch {
            throw Self.refusal(error, at: provider)
        }
    }

    /// The digest of a nonce that this server gave to a client.
    ///
    /// - Throws: ``SubjectTokenError`` for any other, and for one that is too old; ``StoreUnavailableError``.
    private func digest(ofIssued nonce: SubjectTokenNonce, to client: ClientID) async throws -> SecretDigest {
        guard try await keys.current().exchangeNonces.isGiven(nonce, to: client, at: clock.now()) else {
            throw SubjectTokenError(because: "this server gave the client no such nonce within its lifetime")
        }
        return nonce.digest
    }

    /// A token that is not good is the client's fault; a provider that cannot be asked, or refuses this server, is not.
    private static func refusal(_ providerFailure: ProviderError, at provider: IdentityProvider) -> any Error {
        switch providerFailure.code {
        case .token: SubjectTokenError(because: "\(provider.id): \(providerFailure.reason)")
        case .unreachable, .busy, .notTrusted, .badAnswer, .anotherIssuer, .template, .notOffered, .refused:
            OAuthError(
                .temporarilyUnavailable,
                "the provider of the token cannot be asked now",
                because: "\(provider.id): \(providerFailure.reason)"
            )
        }
    }
}
