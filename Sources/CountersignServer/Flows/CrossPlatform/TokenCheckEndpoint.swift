internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `POST /cpa/authorized`: a service checks a token that a client presented.
///
/// It gets answers about tokens of its own domain alone, with the key that a token is bound to: clients prove the key
/// to the service.
/// Standard: ETSI TS 103 407 §9.2, §9.3; RFC 9449 §6.2 for `cnf`.
struct TokenCheckEndpoint: Sendable {
    let services: FlowServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.crossPlatform("authorized", answer)
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (asker, credential) = try await service(asking: request, in: context)
        let asked = try TokenCheckRequest(members: try await request.textMembers())
        let keys = try await services.keys.current()
        let response = try await services.store.read { repositories -> TokenCheckResponse? in
            // The body may have taken a while, and the credential may have been replaced meanwhile.
            guard try repositories.domains.find(credential)?.created == asker.created else {
                throw CrossPlatformError(.unauthorized, because: "the credential was replaced")
            }
            if asked.domain != asker.name {
                let isKnown = try repositories.domains.find(asked.domain) != nil
                throw isKnown ? Self.anotherDomain : CrossPlatformError.unknownDomain
            }
            return try describe(asked.accessToken, trusting: keys, to: asker, in: repositories)
        }
        try await services.tokens.firstUses.settle()
        guard let response else {
            throw CrossPlatformError(.notFound, "there is no such token", because: "no such token")
        }
        return try .json(response)
    }

    private static let anotherDomain = CrossPlatformError(
        .unauthorized,
        "the domain belongs to another service",
        because: "the domain is another service's"
    )

    /// The service that the request's credential belongs to, and the digest of that.
    private func service(
        asking request: Request,
        in context: ServerRequestContext
    ) async throws -> (ServiceDomain, SecretDigest) {
        guard let token = request.bearerToken else {
            throw CrossPlatformError(.unauthorized, "a service shows its token", because: "no Bearer token")
        }
        let credential = ServiceCredential(revealing: token.revealed).digest
        if let domain = try await services.store.read({ try $0.domains.find(credential) }) {
            return (domain, credential)
        }
        try await services.wrongProofs.refuse(from: context.address(of: request, by: services.addresses))
        throw CrossPlatformError(.unauthorized, because: "unknown credential")
    }

    private func describe(
        _ token: AccessToken,
        trusting keys: Keys,
        to asker: ServiceDomain,
        in repositories: any Repositories
    ) throws -> TokenCheckResponse? {
        guard let record = try AccessTokens(repositories).find(token, trusting: keys),
            record.audience == asker.name.rawValue, record.issued >= asker.created,
            let token = try AccessTokens(repositories).verified(
                record, under: services.policy, at: services.clock.now())
        else { return nil }
        services.tokens.firstUses.note(record)
        return TokenCheckResponse(
            client: record.client,
            user: record.subject,
            displayName: token.person?.name,
            confirmation: record.key.map { KeyConfirmation($0) },
            evidence: record.evidence
        )
    }
}
