internal import HTTPTypes
internal import Hummingbird
internal import FoundationEssentialsCompat

/// `POST /register`: a client registers itself, with an initial access token or, if the operator allows it, without.
///
/// Standard: RFC 7591 §3; OpenID Connect Dynamic Client Registration 1.0 §3. The expiry of registrations without a
/// token is an addition of ours.
struct ClientRegistrationEndpoint: Sendable {
    let core: ServerCore
    let clients: ClientServices
    let policy: RegistrationPolicy

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("register", [.post: answer], from: clients.origins)
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let address = context.address(of: request, by: core.addresses)
        try core.requestLimiter.admit(.address(.tokenPerAddress, address))
        let presented = request.bearerToken
        guard policy.access == .open || presented != nil else { return .bearerChallenge() }
        do {
            let (client, token, secret) = try await register(request, presenting: presented, from: address)
            let information = ClientInformation(
                client, token: token, secret: client.kind.isConfidential ? secret : nil, at: core.issuer)
            var response = try Response.json(information)
            response.status = .created
            return response
        } catch let error as OAuthError where error.code == .invalidToken {
            return .bearerChallenge(error)
        }
    }

    private func register(
        _ request: Request, presenting presented: AccessToken?, from address: String?
    ) async throws -> (Client, AccessToken, ClientSecret) {
        let allowance = try await core.store.read { [clock = core.clock] repositories in
            try presented.map { try usable($0, at: clock.now(), in: repositories).allowance }
        }
        let asked = try ClientMetadata(parsing: try await request.jsonBody())
        let checked = try CheckedClientMetadata(asked, under: policy, with: allowance)
        let token: AccessToken = core.mint.secret()
        let secret: ClientSecret = core.mint.secret()
        let client = try await clients.registrations.register(from: address) { id, now, repositories in
            if let presented {
                var initial = try usable(presented, at: now, in: repositories)
                initial.uses -= 1
                try repositories.initialAccessTokens.update(initial)
                let detail = "registered with the initial access token \(initial.id)"
                try Audit(repositories).record(
                    AuditEntry.Facts(at: now, .clientAdded, by: .client, client: id, address: address, detail: detail)
                )
            }
            let registration = DynamicRegistration(
                token: token.digest, expires: presented == nil ? now + Client.firstLifetime : nil,
                method: checked.method, software: checked.software, allowance: allowance ?? .none)
            return Client(registering: checked, as: id, holding: secret, by: registration, at: now)
        }
        guard let client else {
            throw OAuthError(.temporarilyUnavailable, "no identifier is free", because: "all numbers are in use")
        }
        return (client, token, secret)
    }

    /// The initial access token, if another client may be registered with it.
    ///
    /// - Throws: ``OAuthError`` `invalid_token`, the same whether it is unknown, has expired or is used up.
    private func usable(
        _ token: AccessToken, at now: Date, in repositories: any Repositories
    ) throws -> InitialAccessToken {
        guard let found = try repositories.initialAccessTokens.find(token.digest), now < found.expires, found.uses > 0
        else {
            throw OAuthError(
                .invalidToken, "the initial access token is not good", because: "unknown, expired or used up")
        }
        return found
    }
}

extension Client.Kind {
    /// Whether the client has a secret.
    var isConfidential: Bool { if case .confidential = self { true } else { false } }
}
