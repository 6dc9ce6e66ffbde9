internal import Countersign
internal import CountersignWire
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// `POST /cpa/register`: an app on a device registers itself as a client.
///
/// Standard: ETSI TS 103 407 §8.2. The expiry of unused registrations is an addition of ours.
struct RegistrationEndpoint: Sendable {
    let server: ServerServices

    func mount(on router: some RouterMethods<ServerRequestContext>, for pages: CrossOriginAccess) {
        router.crossPlatform("register", from: pages, answer)
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let asked = try ClientRegistrationRequest(members: try await request.textMembers())
        let secret: ClientSecret = server.mint.secret()
        let client = try await register(
            asked, holding: secret, from: context.address(of: request, by: server.addresses))
        var response = try Response.json(ClientRegistrationResponse(client: client, secret: secret))
        response.status = .created
        return response
    }

    private func register(
        _ asked: ClientRegistrationRequest,
        holding secret: ClientSecret,
        from address: String?
    ) async throws -> ClientID {
        let rateKeys: [RateLimitKey] = [.address(.registrationPerAddress, address), .overall(.registrationOverall)]
        let registered = try await server.store.retryingOnKeyCollision {
            let client = Client(registering: asked, as: server.mint.number(), holding: secret, at: server.clock.now())
            try await server.store.change { repositories in
                try server.limits.admitAndCount(rateKeys, in: repositories)
                try repositories.clients.insert(client)
            }
            return client.id
        }
        guard let registered else {
            throw CrossPlatformError(
                .temporarilyUnavailable,
                "no identity is free",
                because: "all numbers that were drawn are in use"
            )
        }
        return registered
    }
}
