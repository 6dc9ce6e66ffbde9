internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes

/// Decides token requests.
///
/// ``TokenEndpoint``, ``CrossPlatformTokenEndpoint`` and the fast path read requests and write answers; checks, limits,
/// counts and issuing are here.
final class TokenService: Sendable {
    let core: ServerCore
    let clients: ClientServices
    let tokens: TokenServices
    let polled: PolledGrant
    private let authorizationCode: AuthorizationCodeGrant
    private let refresh: RefreshGrant
    private let clientCredentials: ClientCredentialsGrant
    private let crossPlatformClient: CrossPlatformClientGrant
    private let tokenExchange: TokenExchangeGrant
    private let preAuthorizedCode: PreAuthorizedCodeGrant
    private let immediate: ImmediateGrant

    init(
        _ core: ServerCore,
        clients: ClientServices,
        accounts: AccountServices,
        signIns: SignInServices,
        tokens services: TokenServices,
        providers: ProviderServices
    ) {
        let (store, tokens, policy, clock) = (core.store, services.issuer, core.policy, core.clock)
        let redemption = GrantRedemption(core, accounts)
        let lost = LostAnswers(core, services)
        self.core = core
        self.clients = clients
        self.tokens = services
        polled = PolledGrant(store: store, tokens: tokens, redemption: redemption, lost: lost, clock: clock)
        authorizationCode = AuthorizationCodeGrant(tokens: tokens, redemption: redemption, lost: lost, clock: clock)
        refresh = RefreshGrant(
            store: store,
            tokens: tokens,
            policy: policy,
            redemption: redemption,
            lost: lost,
            clock: clock
        )
        clientCredentials = ClientCredentialsGrant(store: store, tokens: tokens, policy: policy)
        crossPlatformClient = CrossPlatformClientGrant(store: store, tokens: tokens, policy: policy, clock: clock)
        immediate = ImmediateGrant(core: core, signIns: signIns, tokens: services, redemption: redemption)
        tokenExchange = TokenExchangeGrant(core: core, providers: providers, immediate: immediate)
        preAuthorizedCode = PreAuthorizedCodeGrant(core: core, redemption: redemption, immediate: immediate)
    }

    /// A parsed token request, not checked yet.
    struct ParsedRequest: Sendable {
        let credentials: PresentedCredentials
        /// The parsed request, or why it cannot be parsed; that is reported only after the client was authenticated.
        let request: Result<TokenRequest, OAuthError>
        /// The secret that the client drew for this request; `nil` for none.
        var id: TokenRequestID?
        /// The domain that a device asks for by Cross-Platform Authentication; `nil` for OAuth.
        var domain: Domain?
        /// The address of the client, if it can be seen.
        let address: String?
        /// The time that the client wants its request to be held open.
        let wait: WaitPreference?
        /// The screen's statement about the number that it shows.
        var number: NumberPreference?
        /// The DPoP proof of the request, not verified yet, or why it cannot be read.
        var proof: Result<UnverifiedDPoPProof?, OAuthError> = .success(nil)
        /// The certificate that the client proved on this connection; `nil` without one.
        var certificate: PresentedCertificate?
        /// The key that the request proves, once it is verified; tokens are bound to it.
        fileprivate(set) var key: SenderKey?
    }

    /// Authenticates the client of a request, and decides it.
    func step(for request: ParsedRequest) async -> TokenStep {
        // Authentication takes its time.
        let arrived = core.clock.now()
        var request = request
        do {
            let client = try await clients.countingTokenRequest(from: request.address) {
                try await authenticated(request)
            }
            request.key = try await provenKey(request, by: client)
            return try await decide(request, arrived: arrived, for: client, in: try await dialect(of: request.domain))
        } catch {
            return .done(await refusal(error, from: request.address))
        }
    }

    /// The refusal for an error. Invalid grants are counted.
    func refusal(_ error: any Error, from address: String?) async -> TokenResult {
        let isWrongGrant =
            switch error {
            case is SubjectTokenError: true
            case let error as PollError: error.code == .unknown
            case let error as OAuthError: error.code == .invalidGrant
            default: false
            }
        do {
            if isWrongGrant { try await core.wrongProofs.refuse(from: address) }
            return .refused(error)
        } catch {
            return .refused(error)
        }
    }

    // MARK: Authentication

    private func authenticated(_ request: ParsedRequest) async throws -> AuthenticatedClient {
        guard request.domain == nil else {
            return try await clients.authentication.device(request.credentials, from: request.address)
        }
        return try await clients.authentication.authenticated(
            request.credentials,
            from: request.address,
            holding: request.certificate
        )
    }

    /// The key that a request proves, which tokens are bound to: that of its DPoP proof, or the certificate of a client
    /// that is registered for that.
    private func provenKey(_ request: ParsedRequest, by client: AuthenticatedClient) async throws -> SenderKey? {
        let proof = try request.proof.get()
        guard client.client.dpop != .certificate else {
            guard proof == nil else {
                throw OAuthError(
                    .invalidRequest,
                    "this client's tokens are bound to its certificate, so send no DPoP proof",
                    because: "a proof beside a certificate"
                )
            }
            return request.certificate.map { .certificate($0.thumbprint) }
        }
        guard let proof else { return nil }
        let path = request.domain == nil ? "token" : "cpa/token"
        return .proof(try await tokens.proofs.key(provenBy: proof, of: client, at: path))
    }

    private func dialect(of domain: Domain?) async throws -> TokenDialect {
        guard let domain else { return .oauth2 }
        guard let found = try await core.store.read({ try $0.domains.find(domain) }) else {
            throw CrossPlatformError.unknownDomain
        }
        return .crossPlatform(found)
    }

    // MARK: Decision

    private func decide(
        _ request: ParsedRequest,
        arrived: Date,
        for client: AuthenticatedClient,
        in dialect: TokenDialect
    ) async throws -> TokenStep {
        let asked = try request.request.get()
        if let code = Poll.Code(of: asked) {
            let poll = Poll(code, request, by: client, in: dialect)
            let result = try await redeem(poll)
            guard case .pending(let pending) = result else { return .done(result) }
            return step(for: poll, pending, waiting: request.wait)
        }
        let key = request.key
        switch (asked, dialect) {
        case (_, .crossPlatform(let domain)):
            return try await issue(.crossPlatformClientCredentials, to: client, boundTo: key) { client in
                try await crossPlatformClient.redeem(for: client, domain, provenBy: key)
            }
        case (.authorizationCode(let code, let redirectURI, let verifier), .oauth2):
            let presented = AuthorizationCodeGrant.Presentation(
                code: code,
                redirectURI: redirectURI,
                verifier: verifier,
                key: key,
                arrived: arrived,
                id: request.id
            )
            return try await issue(.authorizationCode, to: client, boundTo: key) { client in
                try await authorizationCode.redeem(presented, for: client)
            }
        case (.refresh(let token, let scope), .oauth2):
            let presented = refresh.presented(token, scope: scope, provenBy: key, request.id, from: request.address)
            return try await issue(.refreshToken, to: client, boundTo: key) { client in
                try await refresh.redeem(presented, for: client)
            }
        case (.clientCredentials(let scope), .oauth2):
            return try await issue(.clientCredentials, to: client, boundTo: key) { client in
                try await clientCredentials.redeem(scope, for: client, provenBy: key)
            }
        case (.tokenExchange(let exchange), .oauth2):
            try client.require(.tokenExchange)
            try client.requireKey(key)
            // A foreign token or a ticket is used up before the registration is read again; only the rest is repeated.
            let opened = try await tokenExchange.open(exchange, for: client, from: request.address)
            return try await issue(.tokenExchange, to: client, boundTo: key) { client in
                try await immediate.redeem(opened, for: client, provenBy: key)
            }
        case (.preAuthorizedCode(let ticket), .oauth2):
            try client.require(.preAuthorizedCode)
            try client.requireKey(key)
            let opened = try await preAuthorizedCode.open(ticket, for: client, from: request.address)
            return try await issue(.preAuthorizedCode, to: client, boundTo: key) { client in
                try await immediate.redeem(opened, for: client, provenBy: key)
            }
        case (.deviceCode, .oauth2), (.backchannelAuthentication, .oauth2):
            throw ContradictoryRequestError()
        }
    }

    /// Issues tokens to a client that proves its key and is registered for the grant type, and counts them.
    private func issue(
        _ grantType: GrantType,
        to client: AuthenticatedClient,
        boundTo key: SenderKey?,
        _ redeem: (AuthenticatedClient) async throws -> [UInt8]
    ) async throws -> TokenStep {
        let answer = try await clients.withRegistration(of: client) { client in
            try client.requireKey(key)
            try client.require(grantType)
            return try await redeem(client)
        }
        core.metrics.tokensIssued(grantType)
        return .done(.issued(answer))
    }
}
