internal import Countersign
internal import CountersignWire
internal import Hummingbird

/// CIBA: clients that name a person.
///
/// ``BackchannelNotifier`` prepares the notifications that they get afterwards.
struct BackchannelFlow: SignInFlow {
    let services: FlowServices

    var descriptionParts: [[UInt8]] { [PackageResources.backchannel_authentication_json] }

    func describe(in metadata: inout AuthorizationServerMetadata) {
        metadata.backchannelAuthenticationEndpoint = services.issuer.appending("bc-authorize")
        metadata.backchannelTokenDeliveryModesSupported = BackchannelDeliveryMode.allCases.map(\.rawValue)
        metadata.backchannelAuthenticationRequestSigningAlgValuesSupported = UnverifiedRequestObject.algorithms
        metadata.backchannelUserCodeParameterSupported = true
    }

    func mountForClients(on router: some RouterMethods<ServerRequestContext>) {
        BackchannelAuthenticationEndpoint(services: services).mount(on: router)
    }

    func mount(on router: some RouterMethods<ServerRequestContext>, showing pages: PageRoutes) {
        BackchannelUserCodePage(pages: pages, services: services).mount(on: router)
    }
}
