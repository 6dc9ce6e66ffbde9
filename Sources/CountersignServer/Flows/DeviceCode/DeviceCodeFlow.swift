internal import CountersignWire
internal import Hummingbird

/// The device authorization grant: a screen shows a code or a link, and a person answers on a page.
struct DeviceCodeFlow: SignInFlow {
    private let services: FlowServices
    private let endpoint: DeviceAuthorizationEndpoint

    init(_ services: FlowServices) {
        self.services = services
        endpoint = DeviceAuthorizationEndpoint(services: services)
    }

    var returns: [ReturnPage] { [ActivatePage.returns] }
    var descriptionParts: [[UInt8]] { [PackageResources.device_authorization_json] }

    func describe(in metadata: inout AuthorizationServerMetadata) {
        metadata.deviceAuthorizationEndpoint = services.issuer.appending("device_authorization")
    }

    func mountForClients(on router: some RouterMethods<ServerRequestContext>) {
        endpoint.mount(on: router)
    }

    func mount(on router: some RouterMethods<ServerRequestContext>, showing pages: PageRoutes) {
        ActivatePage(pages: pages, services: services).mount(on: router)
        ConfirmPage(pages: pages, services: services).mount(on: router)
        ResultPage(pages: pages, services: services).mount(on: router)
    }

    func add(to path: inout FastPath) {
        let name = "/device_authorization"
        path.add(.post, services.issuer.path + name, as: name, endpoint.quickOutcome)
    }
}
