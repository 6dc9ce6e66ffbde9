internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// `POST /token`: a client redeems what it holds.
///
/// What every grant type needs happens here, where none can forget it: the client is authenticated and held to the
/// grant types it is registered for.
/// Standard: RFC 6749 §3.2.
struct TokenEndpoint: Sendable {
    let server: ServerServices
    let deviceCode: DeviceCodeGrant
    let refresh: RefreshGrant
    let clientCredentials: ClientCredentialsGrant

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("token", [.post: answer])
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let address = context.address(of: request, by: server.addresses)
        try server.requestLimiter.admit(.address(.tokenPerAddress, address))
        try server.wrongGrants.admit([.address(.grantPerAddress, address)])
        let submitted = try await request.submittedForm()
        let client = try await server.clients.authenticated(submitted.credentials, by: request, in: context)
        try server.requestLimiter.admit(.client(.tokenPerClient, client.client.id))
        do {
            return try await redeem(submitted, for: client, request, in: context)
        } catch let error as OAuthError where error.code == .invalidGrant {
            try await server.wrongGrants.count([.address(.grantPerAddress, address)])
            throw error
        }
    }

    /// What a screen that polls gets at once: nobody has decided, as far as is remembered, and it may ask.
    func fastPathOutcome(of request: FastPathRequest, from memory: CachingStore) throws -> FastPathOutcome? {
        let form = try request.form()
        guard case .deviceCode(let code, over: let links) = try TokenRequest(form: form),
            server.wrongGrants.blocks.isEmpty
        else { return nil }
        let presented = DeviceCodeGrant.Presented(code, over: links)
        let credentials = try PresentedCredentials(authorization: request.head.authorization, form: form)
        let found = try memory.cached { repositories -> (ClientID, DeviceCodeGrant.Pending)? in
            guard let client = try server.clients.recognized(credentials, in: repositories) else { return nil }
            try client.require(.deviceCode)
            let id = client.client.id
            return try deviceCode.pending(presented, of: id, in: repositories).map { (id, $0) }
        }
        guard case let (client, pending)?? = found else { return nil }
        let outcome: FastPathOutcome?
        if let preference = WaitPreference(parsing: request.head.prefer) {
            let wait = deviceCode.fastPathWait(for: pending, preference) {
                let again = try? memory.cached { try deviceCode.pending(presented, of: client, in: $0) }
                return again??.awaitsLink == false
            }
            outcome = wait.map { .wait($0) }
        } else {
            outcome = deviceCode.fastPathAnswer(to: pending).map { .answer($0) }
        }
        guard let outcome else { return nil }
        try server.requestLimiter.admit(.address(.tokenPerAddress, request.address(by: server.addresses)))
        try server.requestLimiter.admit(.client(.tokenPerClient, client))
        return outcome
    }

    private func redeem(
        _ submitted: SubmittedForm,
        for client: AuthenticatedClient,
        _ request: Request,
        in context: ServerRequestContext
    ) async throws -> Response {
        let asked = try TokenRequest(form: submitted.form)
        try client.require(asked.grantType)
        let response = try await redeem(asked, for: client, request, in: context)
        if response.status == .ok { server.metrics.tokensIssued(asked.grantType) }
        return response
    }

    private func redeem(
        _ asked: TokenRequest,
        for client: AuthenticatedClient,
        _ request: Request,
        in context: ServerRequestContext
    ) async throws -> Response {
        switch asked {
        case .deviceCode(let code, over: let links):
            let wait = WaitPreference(parsing: request.headers[values: .prefer])
            do {
                return try await deviceCode.answer(
                    code,
                    over: links,
                    for: client,
                    in: .oauth2,
                    waiting: wait,
                    on: context
                )
            } catch let refused as DeviceCodeRefused {
                throw refused.oauth
            }
        case .refresh(let token, let scope):
            return .json(bytes: try await refresh.redeem(token, scope: scope, for: client))
        case .clientCredentials(let scope):
            return .json(bytes: try await clientCredentials.redeem(scope, for: client))
        }
    }
}
