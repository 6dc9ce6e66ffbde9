internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `GET /authenticator/v1.0/device/{id}/environment` lists the sites of a device, `PUT …/environment/{env}`
/// joins one with the secret of a QR code, and `DELETE` leaves it.
struct LegacyCustomerSitesEndpoint: Sendable {
    let devices: LegacyDevices
    private var services: FlowServices { devices.services }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        let path = "authenticator/v1.0/device/{id}/environment"
        router.authenticatorEndpoint(path, [.get: list])
        router.authenticatorEndpoint("\(path)/{environment}", [.put: join, .delete: leave])
    }

    @Sendable private func list(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let address = context.address(of: request, by: services.addresses)
        let device = try await devices.known(context.legacyDevice, from: address)
        let environments = try await services.store.read { repositories in
            try repositories.devices.enrollments(of: device.id)
                .compactMap { try repositories.environments.find($0.environment)?.listed }
        }
        return try .json(environments)
    }

    /// Joining again with the same secret changes nothing.
    @Sendable private func join(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let call = try context.legacyCall(request, from: services.addresses)
        let joining = try await devices.authentication.authenticated(call, isJoining: true)
        let environment = try await devices.join(joining, from: call.address)
        return try .json(environment)
    }

    @Sendable private func leave(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let call = try context.legacyCall(request, from: services.addresses)
        let leaving = try await devices.authentication.authenticated(call)
        try await devices.leave(leaving, from: call.address)
        return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }
}

extension ServerRequestContext {
    /// The device that an address names.
    var legacyDevice: LegacyDeviceID { LegacyDeviceID(revealing: parameters.get("id") ?? "") }

    /// The call of a device about the site that an address names.
    ///
    /// - Parameters:
    ///   - request: The request, with its token.
    ///   - addresses: Finds out from where it comes.
    /// - Throws: ``CustomerSiteAPIError`` of status 401 without a token.
    func legacyCall(
        _ request: Request,
        from addresses: ClientAddressResolver
    ) throws -> LegacyDeviceAuthentication.Call {
        guard let environment = CustomerSiteID(parsing: parameters.get("environment") ?? "") else {
            throw CustomerSiteAPIError.unauthorized(because: "no identifier of an environment")
        }
        return LegacyDeviceAuthentication.Call(
            device: legacyDevice,
            environment: environment,
            token: try request.environmentToken(),
            address: address(of: request, by: addresses)
        )
    }
}
