internal import Hummingbird

/// The device API of the older dialect, byte for byte as apps with CM Authenticator SDK 4.0 expect it; mounted only
/// where the operator wants it.
///
/// Its wire form forces weak means: identifiers that are secrets in addresses, and secrets that two sides share. So an
/// approval by it is weaker evidence (``Possession/sharedSecret``), and the site has to allow it.
struct LegacyDevicesFlow: SignInFlow {
    let devices: LegacyDevices
    private let pinKey: LegacyCertificatePinKey?
    /// The certificate of the clients' listener; `nil` where a proxy has it.
    private let certificate: ServerCertificate?

    init(_ services: FlowServices, _ settings: LegacyAuthenticator, certificate: ServerCertificate?) {
        devices = LegacyDevices(services: services)
        pinKey = settings.pinKey
        self.certificate = certificate
    }

    func mount(on router: some RouterMethods<ServerRequestContext>, showing pages: PageRoutes) {
        LegacyCertificateEndpoint(services: devices.services, pinKey: pinKey, certificate: certificate)
            .mount(on: router)
        LegacyDeviceEndpoint(devices: devices).mount(on: router)
        LegacyCustomerSitesEndpoint(devices: devices).mount(on: router)
        LegacyRequestsEndpoint(devices: devices).mount(on: router)
    }
}
