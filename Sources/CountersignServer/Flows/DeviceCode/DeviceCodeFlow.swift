internal import CountersignWire
internal import Hummingbird

/// The device authorization grant: a screen shows a code or a link, or a person types there a code of their own, and the
/// person answers on a page.
struct DeviceCodeFlow: SignInFlow {
    private let services: FlowServices
    private let endpoint: DeviceAuthorizationEndpoint
    /// The requests of pages that wait until the code that they show was typed, the request that they show is over, or the
    /// approval that they show undone.
    let waiters: ChangeWaiters

    /// The maximum number of pages that wait for one person; a further one ends the first.
    private static let mostPages = 4

    init(_ services: FlowServices) {
        self.services = services
        endpoint = DeviceAuthorizationEndpoint(services: services)
        waiters = ChangeWaiters(in: services.memory, mostOfOne: Self.mostPages, timer: services.timer)
        services.store.observe(waiters.storeChanged)
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
        PersonCodePage(pages: pages, services: services, waiters: waiters).mount(on: router)
        ConfirmPage(pages: pages, services: services, waiters: waiters).mount(on: router)
        ResultPage(pages: pages, services: services, waiters: waiters).mount(on: router)
    }

    func add(to path: inout FastPath) {
        let name = "/device_authorization"
        path.add(.post, services.issuer.path + name, as: name, endpoint.quickOutcome)
    }

    func stop() { waiters.close() }
}
