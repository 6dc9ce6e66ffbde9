internal import HTTPTypes
internal import Hummingbird
internal import FoundationEssentialsCompat

/// `GET`, `PUT` and `DELETE /register/{client_id}`: a client that registered itself reads, replaces and removes its
/// registration.
///
/// The response contains its secret only when it is new, since the server stores the digest.
/// Standard: RFC 7592 §2.
struct ClientConfigurationEndpoint: Sendable {
    let core: ServerCore
    let clients: ClientServices
    let policy: RegistrationPolicy

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(
            "register/{client_id}",
            [.get: answering(show), .put: answering(replace), .delete: answering(remove)],
            from: clients.origins
        )
    }

    /// A client that presented the token of its registration; made by ``authenticated(_:in:)`` alone.
    private struct Manager: Sendable {
        let client: Client
        let token: AccessToken

        fileprivate init(_ client: Client, presenting token: AccessToken) {
            self.client = client
            self.token = token
        }
    }

    private typealias Step = @Sendable (Manager, Request, String?) async throws -> Response

    /// Authenticates the client, and answers a wrong token as RFC 6750 has it.
    private func answering(_ step: @escaping Step) -> Answering {
        { request, context in
            let address = context.address(of: request, by: core.addresses)
            try core.requestLimiter.admit(.address(.tokenPerAddress, address))
            guard let token = request.bearerToken else { return .bearerChallenge() }
            do {
                let id = ClientID(context.parameters.get("client_id") ?? "")
                return try await step(try await authenticated(id, presenting: token), request, address)
            } catch let error as OAuthError where error.code == .invalidToken {
                return .bearerChallenge(error)
            }
        }
    }

    /// The client, if the token is that of its registration.
    ///
    /// - Throws: ``OAuthError`` `invalid_token`, also for a client that is unknown or did not register itself.
    private func authenticated(_ id: ClientID, presenting token: AccessToken) async throws -> Manager {
        let found = try await core.store.read { try $0.clients.find(id) }
        guard let found, Self.isManaged(found, by: token.digest, at: core.clock.now()) else { throw Self.invalid }
        return Manager(found, presenting: token)
    }

    private static func isManaged(_ client: Client, by token: SecretDigest, at now: Date) -> Bool {
        guard case .dynamic(let registration) = client.registration else { return false }
        return registration.token == token && !client.hasExpired(at: now)
    }

    private static let invalid = OAuthError(
        .invalidToken, "the registration access token is not good", because: "unknown client, or another token")

    // MARK: The methods

    @Sendable private func show(_ manager: Manager, _ request: Request, _ address: String?) async throws -> Response {
        try response(manager.client, to: manager, secret: nil)
    }

    /// Standard: RFC 7592 §2.2: absent metadata is removed.
    @Sendable private func replace(
        _ manager: Manager, _ request: Request, _ address: String?
    ) async throws -> Response {
        let asked = try ClientUpdateRequest(parsing: try await request.jsonBody())
        guard asked.client == manager.client.id, case .dynamic(let registration) = manager.client.registration else {
            throw OAuthError(.invalidClientMetadata, "client_id is another client's", because: "another client_id")
        }
        if let secret = asked.secret, !manager.client.kind.accepts(secret) {
            throw OAuthError(.invalidClientMetadata, "client_secret cannot be chosen", because: "another secret")
        }
        let checked = try CheckedClientMetadata(asked.metadata, under: policy, with: registration.allowanceByToken)
        let secret: ClientSecret = core.mint.secret()
        let now = core.clock.now()
        let token = manager.token.digest
        let (client, isNew) = try await core.store.change { [limits = core.limits] repositories in
            guard var client = try repositories.clients.find(manager.client.id),
                Self.isManaged(client, by: token, at: now)
            else { throw Self.invalid }
            try limits.admitAndCount(SelfRegistration.rateKeys(from: address), in: repositories)
            let before = client
            let isNew = client.replace(by: checked, holding: secret)
            try repositories.clients.update(client)
            // The consents were given to that name and those addresses.
            let isAnother = client.differsVisibly(than: before)
            if isAnother { try repositories.consents.removeAll(of: client.id) }
            try Audit(repositories).record(
                AuditEntry.Facts(
                    at: now, .clientChanged, by: .client, client: client.id, address: address,
                    detail: isAnother ? "another name or redirect_uri: what people had allowed it is forgotten" : nil)
            )
            return (client, isNew)
        }
        return try response(client, to: manager, secret: isNew ? secret : nil)
    }

    /// Standard: RFC 7592 §2.3.
    @Sendable private func remove(_ manager: Manager, _ request: Request, _ address: String?) async throws -> Response {
        let now = core.clock.now()
        let token = manager.token.digest
        let registry = ClientRegistry(of: core.store, mint: core.mint, clock: core.clock)
        let existed = try await registry.removeByItself(manager.client.id) {
            Self.isManaged($0, by: token, at: now)
        }
        guard existed else { throw Self.invalid }
        return Response(status: .noContent, headers: [.cacheControl: "no-store", .pragma: "no-cache"])
    }

    private func response(_ client: Client, to manager: Manager, secret: ClientSecret?) throws -> Response {
        try .json(ClientInformation(client, token: manager.token, secret: secret, at: core.issuer))
    }
}

extension Client {
    /// Whether the name changed, or a redirect URI was added.
    fileprivate func differsVisibly(than before: Client) -> Bool {
        name != before.name || !Set(redirects.redirectURIs).isSubset(of: before.redirects.redirectURIs)
    }
}

extension Client.Kind {
    /// Whether this is the client's current secret.
    fileprivate func accepts(_ secret: ClientSecret) -> Bool {
        if case .confidential(let digest, _) = self { digest == secret.digest } else { false }
    }
}
