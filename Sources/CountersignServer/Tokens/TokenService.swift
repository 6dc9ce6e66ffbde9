internal import Countersign
internal import CountersignWire
internal import HTTPTypes
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Decides token requests: issued, pending, wait or refused.
///
/// All tokens are issued through it. ``TokenEndpoint``, ``CrossPlatformTokenEndpoint`` and the fast path only read
/// requests and write answers; checks, limits, counts and issuing are here.
final class TokenService: Sendable {
    let server: ServerCore
    let clients: ClientServices
    let tokens: TokenServices
    let deviceCode: PolledGrant
    private let authorizationCode: AuthorizationCodeGrant
    private let refresh: RefreshGrant
    private let clientCredentials: ClientCredentialsGrant
    private let crossPlatformClient: CrossPlatformClientGrant
    private let tokenExchange: TokenExchangeGrant
    private let preAuthorizedCode: PreAuthorizedCodeGrant
    private let immediate: ImmediateGrant
    let pushed: BackchannelPushGrant

    init(
        _ server: ServerCore,
        clients: ClientServices,
        accounts: AccountServices,
        signIns: SignInServices,
        tokens services: TokenServices,
        providers: ProviderServices
    ) {
        let (store, tokens, policy, clock) = (server.store, services.issuer, server.policy, server.clock)
        let redemption = GrantRedemption(server, accounts)
        let lost = LostAnswers(server, services)
        let immediate = ImmediateGrant(server: server, signIns: signIns, tokens: services, redemption: redemption)
        self.server = server
        self.clients = clients
        self.tokens = services
        authorizationCode = AuthorizationCodeGrant(
            tokens: tokens, redemption: redemption, lost: lost, clock: clock)
        deviceCode = PolledGrant(
            store: store,
            tokens: tokens,
            redemption: redemption,
            lost: lost,
            clock: clock,
            polls: services.polls,
            waits: services.waits,
            longestWait: services.longestWait
        )
        refresh = RefreshGrant(
            store: store,
            tokens: tokens,
            policy: policy,
            redemption: redemption,
            lost: lost,
            clock: clock
        )
        clientCredentials = ClientCredentialsGrant(store: store, tokens: tokens, policy: policy)
        self.immediate = immediate
        tokenExchange = TokenExchangeGrant(server: server, providers: providers, immediate: immediate)
        preAuthorizedCode = PreAuthorizedCodeGrant(server: server, redemption: redemption, immediate: immediate)
        pushed = BackchannelPushGrant(tokens: tokens, redemption: redemption, clock: clock)
        crossPlatformClient = CrossPlatformClientGrant(store: store, tokens: tokens, policy: policy, clock: clock)
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
        /// Whether tokens for it belong to a person, not to the client itself.
        var isOfPerson: Bool {
            guard case .success(let request) = request else { return false }
            if case .clientCredentials = request { return false }
            return domain == nil || PolledCode(of: request) != nil
        }
        /// The key that the request proves, once it is verified; tokens are bound to it.
        fileprivate(set) var key: SenderKey?
        /// The time when it arrived: before its client was authenticated, which takes its time.
        fileprivate(set) var arrived: Date?
    }

    /// The result of a token request.
    enum Verdict: Sendable {
        /// Tokens; the whole answer, as JSON.
        case issued([UInt8])
        /// The request is not decided yet; this is what the screen has to show.
        case pending(PendingScreen)
        /// The same, and the client wants to wait for the decision.
        case wait(HeldPoll)
        /// An error of the protocol, or an unexpected one.
        case refused(any Error)
    }

    // MARK: The steps of each request

    /// Makes sure that the client may poll like this, by its registration.
    ///
    /// - Throws: ``OAuthError``.
    private func authorize(_ poll: PolledGrant.Poll) throws(OAuthError) {
        try poll.client.requireKey(poll.key)
        // A device of Cross-Platform Authentication is registered for that alone.
        if poll.dialect.domain == nil { try poll.client.require(poll.code) }
    }

    /// Decides a request.
    func verdict(on asked: ParsedRequest) async -> Verdict {
        var asked = asked
        asked.arrived = server.clock.now()
        var dialect = TokenDialect.oauth2
        do {
            let client = try await clients.countingTokenRequest(from: asked.address) { try await authenticated(asked) }
            asked.key = try await provenKey(asked, by: client)
            if let domain = asked.domain { dialect = try await self.dialect(of: domain) }
            return try await decide(asked, for: client, in: dialect)
        } catch {
            return await refusal(error, in: dialect, from: asked.address)
        }
    }

    /// The verdict on a pending poll, when everything that it needs is in memory.
    ///
    /// Returns `nil` for every other request; then nothing was counted, and the caller uses ``verdict(on:)``. Otherwise
    /// the request was decided by the same steps as there. Only the order differs: it is counted after everything was
    /// found in memory, because what is not is counted on the other path.
    func quickVerdict(on asked: ParsedRequest) -> QuickVerdict? {
        // A signed statement is used up, which is written.
        guard case .success(let request) = asked.request, let code = PolledCode(of: request),
            asked.credentials.assertion == nil
        else { return nil }
        let found = try? server.store.lookUp { repositories -> (PolledGrant.Poll, PolledGrant.Pending)? in
            let client = try clients.authentication.proved(asked.credentials, in: repositories)
            let poll = poll(code, asked, for: client, in: .oauth2)
            try authorize(poll)
            return try deviceCode.pending(poll, in: repositories).map { (poll, $0) }
        }
        guard case let (poll, pending)?? = found else { return nil }
        do {
            try clients.admitTokenRequest(of: poll.client, from: asked.address)
        } catch {
            return .decided(.refused(error))
        }
        return quickVerdict(on: poll, pending, waiting: asked.wait)
    }

    /// A verdict, or the work that is still needed for it.
    enum QuickVerdict: Sendable {
        case decided(Verdict)
        case later(@Sendable () async -> Verdict)
    }

    private func quickVerdict(
        on poll: PolledGrant.Poll,
        _ pending: PolledGrant.Pending,
        waiting wait: WaitPreference?
    ) -> QuickVerdict {
        switch deviceCode.admit(poll, pending, waiting: wait) {
        case .pending: .decided(.pending(pending.screen(at: server.clock.now())))
        case .hold(let held): .decided(.wait(held))
        case .tooEarly(let seconds): .later { [self] in await tooEarly(poll, pending, retryIn: seconds) }
        }
    }

    // MARK: Deciding

    private func authenticated(_ asked: ParsedRequest) async throws -> AuthenticatedClient {
        guard asked.domain == nil else {
            return try await clients.authentication.device(asked.credentials, from: asked.address)
        }
        return try await clients.authentication.authenticated(
            asked.credentials,
            from: asked.address,
            holding: asked.certificate
        )
    }

    /// The key that a request proves, which tokens are bound to: that of its DPoP proof, or the certificate of a client
    /// that is registered for that.
    private func provenKey(_ asked: ParsedRequest, by client: AuthenticatedClient) async throws -> SenderKey? {
        let proof = try asked.proof.get()
        guard client.client.dpop != .certificate else {
            guard proof == nil else {
                throw OAuthError(
                    .invalidRequest,
                    "this client's tokens are bound to its certificate, so send no DPoP proof",
                    because: "a proof beside a certificate"
                )
            }
            return asked.certificate.map { .certificate($0.thumbprint) }
        }
        guard let proof else { return nil }
        let path = asked.domain == nil ? "token" : "cpa/token"
        return .proof(try await tokens.proofs.key(provenBy: proof, of: client, at: path))
    }

    private func dialect(of domain: Domain) async throws -> TokenDialect {
        guard let found = try await server.store.read({ try $0.domains.find(domain) }) else {
            throw CrossPlatformError.unknownDomain
        }
        return .crossPlatform(found)
    }

    private func decide(
        _ asked: ParsedRequest,
        for client: AuthenticatedClient,
        in dialect: TokenDialect
    ) async throws -> Verdict {
        let request = try asked.request.get()
        if let code = PolledCode(of: request) {
            let poll = poll(code, asked, for: client, in: dialect)
            switch try await redeem(poll, for: client) {
            case .granted(let answer):
                return issued(answer, poll)
            case .repeated(let answer):
                return .issued(answer)
            case .pending(let pending):
                return await verdict(on: poll, pending, waiting: asked.wait)
            }
        }
        switch (request, dialect) {
        case (.authorizationCode(let code, let redirectURI, let verifier), .oauth2):
            let presented = AuthorizationCodeGrant.Presentation(
                code: code,
                redirectURI: redirectURI,
                verifier: verifier,
                key: asked.key,
                arrived: asked.arrived ?? server.clock.now(),
                id: asked.id
            )
            let answer = try await byRegistration(of: client, provenBy: asked.key) { client in
                try client.require(.authorizationCode)
                return try await authorizationCode.redeem(presented, for: client)
            }
            return issued(answer, .authorizationCode)
        case (_, .crossPlatform(let domain)):
            let answer = try await byRegistration(of: client, provenBy: asked.key) { client in
                try await crossPlatformClient.redeem(for: client, domain, provenBy: asked.key)
            }
            return issued(answer, .crossPlatformClientCredentials)
        case (.refresh(let token, let scope), .oauth2):
            let answer = try await byRegistration(of: client, provenBy: asked.key) { client in
                try client.require(.refreshToken)
                let presented = refresh.presented(
                    token, scope: scope, provenBy: asked.key, asked.id, from: asked.address)
                return try await refresh.redeem(presented, for: client)
            }
            return issued(answer, .refreshToken)
        case (.clientCredentials(let scope), .oauth2):
            let answer = try await byRegistration(of: client, provenBy: asked.key) { client in
                try client.require(.clientCredentials)
                return try await clientCredentials.redeem(scope, for: client, provenBy: asked.key)
            }
            return issued(answer, .clientCredentials)
        case (.tokenExchange(let request), .oauth2):
            return issued(try await exchange(request, asked, for: client), .tokenExchange)
        case (.preAuthorizedCode(let ticket), .oauth2):
            return issued(try await redeem(ticket, asked, for: client), .preAuthorizedCode)
        case (.deviceCode, .oauth2), (.backchannelAuthentication, .oauth2):
            throw ContradictoryRequestError()
        }
    }

    /// Exchanges a token of another provider.
    @inline(never)  // The caller's frame is kept while screens wait.
    private func exchange(
        _ request: TokenExchangeRequest,
        _ asked: ParsedRequest,
        for client: AuthenticatedClient
    ) async throws -> [UInt8] {
        try client.require(.tokenExchange)
        try client.requireKey(asked.key)
        let opened = try await tokenExchange.open(request, for: client, from: asked.address)
        return try await redeem(opened, .tokenExchange, for: client, provenBy: asked.key)
    }

    /// Redeems a ticket.
    @inline(never)
    private func redeem(
        _ ticket: EnrollmentTicket,
        _ asked: ParsedRequest,
        for client: AuthenticatedClient
    ) async throws -> [UInt8] {
        try client.require(.preAuthorizedCode)
        try client.requireKey(asked.key)
        let opened = try await preAuthorizedCode.open(ticket, for: client, from: asked.address)
        return try await redeem(opened, .preAuthorizedCode, for: client, provenBy: asked.key)
    }

    /// Redeems what a foreign token or a ticket gave. That is used up before the client's registration is looked at
    /// again, so only this step is repeated when the registration has changed.
    private func redeem(
        _ opened: ImmediateGrant.UnredeemedApproval,
        _ grantType: GrantType,
        for client: AuthenticatedClient,
        provenBy key: SenderKey?
    ) async throws -> [UInt8] {
        try await byRegistration(of: client, provenBy: key) { client in
            try client.require(grantType)
            return try await immediate.redeem(opened, for: client, provenBy: key)
        }
    }

    /// Redeems the code of a client that polls, if its request was approved.
    func redeem(
        _ poll: PolledGrant.Poll,
        for client: AuthenticatedClient
    ) async throws -> PolledGrant.Outcome {
        try await byRegistration(client, renewing: { try clients.authentication.renewed($0, as: $1) }) { client in
            var poll = poll
            poll.client = client
            try authorize(poll)
            return try await deviceCode.redeem(poll)
        }
    }

    private func verdict(
        on poll: PolledGrant.Poll,
        _ pending: PolledGrant.Pending,
        waiting wait: WaitPreference?
    ) async -> Verdict {
        switch quickVerdict(on: poll, pending, waiting: wait) {
        case .decided(let verdict): verdict
        case .later(let work): await work()
        }
    }

    private func tooEarly(
        _ poll: PolledGrant.Poll,
        _ pending: PolledGrant.Pending,
        retryIn seconds: Int
    ) async -> Verdict {
        do {
            let refused = try await deviceCode.slowDown(poll, pending, retryIn: seconds)
            return .refused(refused.error(in: poll.dialect))
        } catch {
            return .refused(error)
        }
    }

    private func poll(
        _ code: PolledCode,
        _ asked: ParsedRequest,
        for client: AuthenticatedClient,
        in dialect: TokenDialect
    ) -> PolledGrant.Poll {
        PolledGrant.Poll(
            code: code,
            client: client,
            dialect: dialect,
            address: asked.address,
            id: asked.id,
            key: asked.key,
            number: asked.number
        )
    }

    // MARK: Counting results

    /// Tokens for a client that polled.
    func issued(_ answer: [UInt8], _ poll: PolledGrant.Poll) -> Verdict {
        issued(answer, poll.dialect.domain == nil ? poll.code.grantType : .crossPlatformDeviceCode)
    }

    private func issued(_ answer: [UInt8], _ grantType: GrantType) -> Verdict {
        server.metrics.tokensIssued(grantType)
        return .issued(answer)
    }

    /// The refusal for an error, as an error of the protocol. Invalid grants are counted.
    func refusal(_ error: any Error, in dialect: TokenDialect, from address: String?) async -> Verdict {
        let (told, isWrongGrant): (any Error, Bool) =
            switch error {
            case let refused as SubjectTokenError: (refused.error, true)
            case let refused as DeviceCodeError: (refused.error(in: dialect), refused.cause == .unknown)
            case let refused as OAuthError: (refused, refused.code == .invalidGrant)
            default: (error, false)
            }
        do {
            if isWrongGrant { try await server.wrongProofs.refuse(from: address) }
        } catch {
            return .refused(error)
        }
        return .refused(told)
    }
}
