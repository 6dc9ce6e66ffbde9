internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// `POST /cpa/token`: a device asks for its token for one domain.
///
/// The limits, the grants and the issuer of tokens are those of `POST /token`.
/// Standard: ETSI TS 103 407 §8.4. `Prefer: wait` works here too, as an addition of ours.
struct CrossPlatformTokenEndpoint: Sendable {
    let server: ServerServices
    let deviceCode: DeviceCodeGrant
    let clientCredentials: CrossPlatformClientGrant

    func mount(on router: some RouterMethods<ServerRequestContext>, for pages: CrossOriginAccess) {
        router.crossPlatform("token", from: pages, answer)
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let address = context.address(of: request, by: server.addresses)
        try server.requestLimiter.admit(.address(.tokenPerAddress, address))
        try server.wrongGrants.admit([.address(.grantPerAddress, address)])
        let asked = try CrossPlatformTokenRequest(members: try await request.textMembers())
        let client = try await server.clients.device(asked.client, proving: asked.secret, by: request, in: context)
        try server.requestLimiter.admit(.client(.tokenPerClient, client.client.id))
        guard let domain = try await server.store.read({ try $0.domains.find(asked.domain) }) else {
            throw CrossPlatformError.unknownDomain
        }
        switch asked.grant {
        case .clientCredentials:
            let answer = try await clientCredentials.redeem(for: client, domain)
            server.metrics.tokensIssued(.crossPlatformClientCredentials)
            return .json(bytes: answer)
        case .deviceCode(let code):
            return try await redeem(code, for: client, domain, request, in: context)
        }
    }

    private func redeem(
        _ code: DeviceCode,
        for client: AuthenticatedClient,
        _ domain: ServiceDomain,
        _ request: Request,
        in context: ServerRequestContext
    ) async throws -> Response {
        do {
            let response = try await deviceCode.answer(
                code,
                for: client,
                in: .crossPlatform(domain),
                waiting: WaitPreference(parsing: request.headers[values: .prefer]),
                on: context
            )
            if response.status == .ok { server.metrics.tokensIssued(.crossPlatformDeviceCode) }
            return response
        } catch let refused as DeviceCodeRefused {
            if refused.why == .unknown {
                let address = context.address(of: request, by: server.addresses)
                try await server.wrongGrants.count([.address(.grantPerAddress, address)])
            }
            throw refused.crossPlatform
        }
    }
}
