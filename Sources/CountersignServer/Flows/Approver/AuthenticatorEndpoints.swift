internal import Hummingbird

/// The endpoints below `/authenticator` that enrolled devices of this server's own dialect call.
struct AuthenticatorEndpoints: Sendable {
    private let device: AuthenticatorDeviceEndpoint
    private let devices: AuthenticatorDevicesEndpoint
    private let inbox: AuthenticatorInboxEndpoint
    private let environments: AuthenticatorCustomerSitesEndpoint
    private let quiet: AuthenticatorQuietEndpoint
    private let pins: AuthenticatorPinsEndpoint?

    init(_ server: ServerServices) {
        device = AuthenticatorDeviceEndpoint(server: server)
        devices = AuthenticatorDevicesEndpoint(server: server)
        inbox = AuthenticatorInboxEndpoint(server: server)
        environments = AuthenticatorCustomerSitesEndpoint(server: server)
        quiet = AuthenticatorQuietEndpoint(server: server)
        pins = server.pins.map { AuthenticatorPinsEndpoint(server: server, pins: $0) }
    }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        device.mount(on: router)
        devices.mount(on: router)
        inbox.mount(on: router)
        environments.mount(on: router)
        quiet.mount(on: router)
        pins?.mount(on: router)
    }
}
