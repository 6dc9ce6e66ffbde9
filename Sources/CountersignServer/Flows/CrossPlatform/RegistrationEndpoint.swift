internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `POST /cpa/register`: an app on a device registers itself as a client.
///
/// Standard: ETSI TS 103 407 §8.2. The expiry of unused registrations is an addition of ours.
struct RegistrationEndpoint: Sendable {
    let services: FlowServices

    func mount(on router: some RouterMethods<ServerRequestContext>, for pages: CrossOriginAccess) {
        router.crossPlatform("register", from: pages, answer)
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let asked = try ClientRegistrationRequest(members: try await request.textMembers())
        let secret: ClientSecret = services.mint.secret()
        let client = try await register(
            asked, holding: secret, from: context.address(of: request, by: services.addresses))
        var response = try Response.json(ClientRegistrationResponse(client: client, secret: secret))
        response.status = .created
        return response
    }

    private func register(
        _ asked: ClientRegistrationRequest,
        holding secret: ClientSecret,
        from address: String?
    ) async throws -> ClientID {
        let registered = try await services.clients.registrations.register(from: address) { id, now, _ in
            Client(registering: asked, as: id, holding: secret, at: now)
        }
        guard let registered else {
            throw CrossPlatformError(
                .temporarilyUnavailable,
                "no identity is free",
                because: "all numbers that were drawn are in use"
            )
        }
        return registered.id
    }
}
