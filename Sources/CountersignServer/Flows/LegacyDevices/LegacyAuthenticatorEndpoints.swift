internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// The device API of the older dialect, byte for byte as apps with CM Authenticator SDK 4.0 expect it; mounted only
/// where the operator wants it.
///
/// Its wire form forces weak means: identifiers that are secrets in addresses, and secrets that two sides share. So an
/// approval by it is weaker evidence (``Possession/sharedSecret``), and the site has to allow it.
struct LegacyAuthenticatorEndpoints: Sendable {
    let certificate: LegacyCertificateEndpoint
    let device: LegacyDeviceEndpoint
    let environments: LegacyCustomerSitesEndpoint
    let requests: LegacyRequestsEndpoint

    init(_ server: ServerServices, _ settings: LegacyAuthenticator) {
        let devices = LegacyDevices(
            store: server.store,
            keys: server.keys,
            clock: server.clock,
            wrongProofs: server.wrongProofs,
            limits: server.limits,
            authentication: server.legacyDevices,
            numbers: server.accounts.phoneNumbers
        )
        certificate = LegacyCertificateEndpoint(server: server, pinKey: settings.pinKey)
        device = LegacyDeviceEndpoint(server: server, devices: devices)
        environments = LegacyCustomerSitesEndpoint(server: server, devices: devices)
        requests = LegacyRequestsEndpoint(server: server)
    }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        certificate.mount(on: router)
        device.mount(on: router)
        environments.mount(on: router)
        requests.mount(on: router)
    }
}
