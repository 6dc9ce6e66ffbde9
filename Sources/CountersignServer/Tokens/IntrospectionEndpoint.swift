internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import Hummingbird

/// `POST /introspect`: a resource server asks whether a token is active, and what it allows.
///
/// A confidential client learns about its own tokens, a resource server about those meant for it; all others are
/// reported as inactive.
/// Standard: RFC 7662 §2.
struct IntrospectionEndpoint: Sendable {
    let core: ServerCore
    let clients: ClientServices
    let tokens: TokenServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("introspect", [.post: answer])
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let submitted = try await request.submittedForm()
        let asker = try await clients.authentication.authenticated(submitted.credentials, by: request, in: context)
        guard asker.provenance == .verified else {
            throw OAuthError(.invalidClient, "client authentication failed", because: "a public client introspects")
        }
        let asked = try IntrospectionRequest(form: submitted.form)
        let keys = try await core.keys.current()
        let response = try await core.store.read {
            try describe(asked.token, trusting: keys, to: asker.client, in: $0)
        }
        try await tokens.firstUses.settle()
        return try .json(response)
    }

    /// The same on the thread of the connection, when the rows of client and token can be looked up at once; otherwise
    /// `nil`.
    func quickOutcome(of request: FastPathRequest) throws -> FastPathOutcome? {
        let submitted = try request.submittedForm()
        let credentials = submitted.credentials
        let asked = try IntrospectionRequest(form: submitted.form)
        // A signed statement is used up, which is written.
        guard let keys = core.keys.known, credentials.assertion == nil else { return nil }
        let found = try core.store.lookUp { repositories -> IntrospectionResponse? in
            let asker = try clients.authentication.proved(credentials, in: repositories)
            guard asker.provenance == .verified else { return nil }
            guard let access = try AccessTokens(repositories).find(asked.token.asAccessToken, trusting: keys) else {
                return try describe(asked.token.asRefreshToken, to: asker.client, in: repositories)
            }
            let response = try describe(access, to: asker.client, in: repositories)
            // The first use of a token is noted in the store; what the asker may not see is no use.
            return !response.active || tokens.firstUses.isNoted(access) ? response : nil
        }
        guard case let response?? = found else { return nil }
        return .answer(JSONResponse(CompactJSON.bytes(of: response)))
    }

    private func describe(
        _ token: PresentedToken,
        trusting keys: Keys,
        to asker: Client,
        in repositories: any Repositories
    ) throws -> IntrospectionResponse {
        if let access = try AccessTokens(repositories).find(token.asAccessToken, trusting: keys) {
            return try describe(access, to: asker, in: repositories)
        }
        return try describe(token.asRefreshToken, to: asker, in: repositories)
    }

    private func describe(
        _ token: AccessTokenRecord,
        to asker: Client,
        in repositories: any Repositories
    ) throws -> IntrospectionResponse {
        let isOwn = token.client == asker.id
        guard isOwn || asker.serves.contains(token.audience),
            let verified = try AccessTokens(repositories).verified(
                token, under: core.policy, at: core.clock.now(), of: isOwn ? asker : nil)
        else { return .inactive }
        tokens.firstUses.note(token)
        var response = IntrospectionResponse(active: true)
        let scope = verified.scope
        response.scope = scope.isEmpty ? nil : scope.description
        response.clientID = token.client
        response.username = verified.person?.username.rawValue
        response.tokenType = token.key?.tokenType ?? "Bearer"
        response.confirmation = token.key.map { KeyConfirmation($0) }
        response.expires = token.expires.numericDate
        response.issued = token.issued.numericDate
        response.subject = token.subject?.rawValue ?? token.client.rawValue
        response.audience = Audience([token.audience])
        response.issuer = core.issuer.text
        response.tokenID = token.id.rawValue
        response.authenticated = token.authenticated?.numericDate
        response.authenticationClass = token.authenticationClass
        response.evidence = token.evidence
        if let person = verified.person {
            response.additional = try PersonClaims(repositories).additional(of: person, allowing: scope)
        }
        return response
    }

    /// Only the client that holds a refresh token learns anything about it.
    private func describe(
        _ token: RefreshToken,
        to asker: Client,
        in repositories: any Repositories
    ) throws -> IntrospectionResponse {
        guard
            case .verified(let family) = try RefreshTokens(repositories).verified(
                token, of: asker, under: core.policy, at: core.clock.now()),
            family.isNewest
        else { return .inactive }
        var response = IntrospectionResponse(active: true)
        let scope = asker.allowed(family.scope)
        response.scope = scope.isEmpty ? nil : scope.description
        response.clientID = asker.id
        response.username = family.person.username.rawValue
        response.expires = family.newest.expires.numericDate
        response.issued = family.newest.issued.numericDate
        response.subject = family.person.subject.rawValue
        response.issuer = core.issuer.text
        return response
    }
}
