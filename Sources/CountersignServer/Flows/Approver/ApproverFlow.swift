internal import Countersign
internal import CountersignWire
internal import Hummingbird

/// Apps that approve: requests nearby and of other apps, the inbox of an enrolled device, and enrolment.
struct ApproverFlow: SignInFlow {
    private let requests: ApproverRequests
    /// The requests of enrolled devices that are held open.
    let inboxes: ChangeWaiters
    /// The pins that apps fetch; `nil` for none.
    private let pins: SignedCertificatePins?

    init(_ services: FlowServices, pins: SignedCertificatePins?) {
        requests = ApproverRequests(services)
        inboxes = ChangeWaiters(
            in: services.memory, mostOfOne: .max, timer: services.timer, counting: services.metrics.inboxesWaiting)
        self.pins = pins
        services.store.observe(inboxes.storeChanged)
    }

    var descriptionParts: [[UInt8]] { [PackageResources.approver_json, PackageResources.authenticator_json] }

    func describe(in metadata: inout AuthorizationServerMetadata) {
        metadata.approverEndpoint = requests.services.issuer.appending("approver")
        metadata.authenticatorEndpoint = requests.services.issuer.appending("authenticator")
    }

    func mount(on router: some RouterMethods<ServerRequestContext>, showing pages: PageRoutes) {
        ApproverLookEndpoint(requests: requests).mount(on: router)
        ApproverDecideEndpoint(requests: requests).mount(on: router)
        ApproverUndoEndpoint(requests: requests).mount(on: router)
        ApproverDecisionsEndpoint(requests: requests).mount(on: router)
        AuthenticatorDeviceEndpoint(requests: requests).mount(on: router)
        AuthenticatorDevicesEndpoint(requests: requests).mount(on: router)
        AuthenticatorInboxEndpoint(requests: requests, inboxes: inboxes).mount(on: router)
        AuthenticatorCustomerSitesEndpoint(requests: requests).mount(on: router)
        AuthenticatorQuietEndpoint(requests: requests).mount(on: router)
        AuthenticatorPersonCodeEndpoint(requests: requests).mount(on: router)
        if let pins { AuthenticatorPinsEndpoint(services: requests.services, pins: pins).mount(on: router) }
        EnrollmentPage(pages: pages, services: requests.services).mount(on: router)
    }

    func stop() { inboxes.close() }
}
