internal import Countersign
internal import CountersignWire
internal import Hummingbird

/// `POST /revoke`: a client gives a token back.
///
/// A refresh token takes with it everything that came from its grant. An unknown token is no error.
/// Standard: RFC 7009 §2.
struct RevocationEndpoint: Sendable {
    let server: ServerServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("revoke", [.post: answer])
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let submitted = try await request.submittedForm()
        let client = try await server.clients.authenticated(submitted.credentials, by: request, in: context)
        let asked = try RevocationRequest(form: submitted.form)
        try await server.store.change { try revoke(asked.token, of: client.client.id, in: $0) }
        return Response(status: .ok, headers: [.cacheControl: "no-store", .pragma: "no-cache"])
    }

    private func revoke(_ token: PresentedToken, of client: ClientID, in repositories: any Repositories) throws {
        if let access = try repositories.accessTokens.find(token.digest) {
            try require(access.client == client)
            try repositories.accessTokens.remove(access.token)
            if let grant = access.grant { try repositories.repeatableAnswers.remove(grant) }
            try repositories.record(
                AuditEntry.Facts(
                    at: server.clock.now(),
                    .tokenRevoked,
                    by: .client,
                    subject: access.subject,
                    client: client,
                    detail: access.id.rawValue
                )
            )
        } else if let refresh = try repositories.refreshTokens.find(token.digest) {
            try require(refresh.client == client)
            guard let record = try repositories.signIns.find(refresh.grant), record.revoked == nil else { return }
            try repositories.end(record, at: server.clock.now())
            try repositories.record(.end(of: record, by: .client, at: server.clock.now()))
        }
    }

    private func require(_ isOwner: Bool) throws(OAuthError) {
        guard isOwner else {
            throw OAuthError(
                .invalidGrant,
                "the token was issued to another client",
                because: "the token is another client's"
            )
        }
    }
}
