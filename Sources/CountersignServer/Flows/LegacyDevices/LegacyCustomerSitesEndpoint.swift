internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `GET /authenticator/v1.0/device/{id}/environment` lists the sites of a device, `PUT …/environment/{env}`
/// joins one with the secret of a QR code, and `DELETE` leaves it.
struct LegacyCustomerSitesEndpoint: Sendable {
    let server: ServerServices
    let devices: LegacyDevices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        let path = "authenticator/v1.0/device/{id}/environment"
        router.authenticatorEndpoint(path, [.get: list])
        router.authenticatorEndpoint("\(path)/{environment}", [.put: join, .delete: leave])
    }

    @Sendable private func list(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let address = context.address(of: request, by: server.addresses)
        let device = try await devices.known(context.legacyDevice, from: address)
        let environments = try await server.store.read { repositories in
            try repositories.devices.enrollments(of: device.id)
                .compactMap { try repositories.environments.find($0.environment)?.listed }
        }
        return try .json(environments)
    }

    /// Joining again with the same secret changes nothing.
    @Sendable private func join(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let call = try context.legacyCall(request, from: server.addresses)
        let joining = try await server.legacyDevices.authenticated(call, isJoining: true)
        let environment = try await devices.join(joining, from: call.address)
        return try .json(environment)
    }

    @Sendable private func leave(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let call = try context.legacyCall(request, from: server.addresses)
        let leaving = try await server.legacyDevices.authenticated(call)
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
    ///   - body: Its body, byte for byte; empty by default.
    /// - Throws: ``CustomerSiteAPIError`` of status 401 without a token.
    func legacyCall(
        _ request: Request,
        from addresses: ClientAddressResolver,
        body: [UInt8] = []
    ) throws -> LegacyDeviceAuthentication.Call {
        guard let environment = CustomerSiteID(parsing: parameters.get("environment") ?? "") else {
            throw CustomerSiteAPIError.unauthorized(because: "no identifier of an environment")
        }
        return LegacyDeviceAuthentication.Call(
            device: legacyDevice,
            environment: environment,
            token: try request.environmentToken(),
            body: body,
            address: address(of: request, by: addresses)
        )
    }
}
