internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `POST /authenticator/v1.0/device` registers a device, `PUT …/device/{id}` changes it and `GET` reads it.
struct LegacyDeviceEndpoint: Sendable {
    let devices: LegacyDevices
    private var services: FlowServices { devices.services }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.authenticatorEndpoint("authenticator/v1.0/device", [.post: create])
        router.authenticatorEndpoint("authenticator/v1.0/device/{id}", [.get: read, .put: change])
    }

    @Sendable private func create(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (details, _) = try await details(of: request)
        let id = LegacyDeviceID(revealing: URLSafeText.encode(services.mint.keyBytes(16)))
        let address = context.address(of: request, by: services.addresses)
        let device = try await devices.create(id, details, from: address)
        return try answer(device, to: id)
    }

    @Sendable private func read(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let id = context.legacyDevice
        let address = context.address(of: request, by: services.addresses)
        return try answer(try await devices.known(id, from: address), to: id)
    }

    @Sendable private func change(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (details, body) = try await details(of: request)
        let id = context.legacyDevice
        let address = context.address(of: request, by: services.addresses)
        _ = try await devices.known(id, from: address)
        let token = request.bearerToken.flatMap { try? CustomerSiteToken($0.revealed) }
        return try answer(try await devices.change(id, details, body, by: token, from: address), to: id)
    }

    private func details(of request: Request) async throws -> (DeviceDetails, [UInt8]) {
        let body = try await request.jsonBody()
        guard let details = try? JSONDecoder().decode(DeviceDetails.self, from: Data(body)) else {
            throw CustomerSiteAPIError.malformed("The body does not describe a device.")
        }
        return (details, body)
    }

    /// The state of a device, under the identifier that it has; the store knows a digest of that only.
    private func answer(_ device: EnrolledDevice, to id: LegacyDeviceID) throws -> Response {
        var registration = device.registration
        registration.id = DeviceRegistration.ID(id.revealed)
        return try .json(registration)
    }
}
