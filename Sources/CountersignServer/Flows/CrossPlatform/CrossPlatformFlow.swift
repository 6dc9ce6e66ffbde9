internal import Countersign
internal import CountersignWire
internal import Hummingbird

/// Cross-Platform Authentication, another protocol for the same sign-in requests.
///
/// Standard: ETSI TS 103 407.
struct CrossPlatformFlow: SignInFlow {
    let services: FlowServices
    /// The origins whose web pages may call the endpoints, except the token check, which is for services.
    let origins: Set<WebOrigin>

    var descriptionParts: [[UInt8]] { [PackageResources.cross_platform_json] }

    func mount(on router: some RouterMethods<ServerRequestContext>, showing pages: PageRoutes) {
        let access = CrossOriginAccess(origins: origins)
        ProviderEndpoint(issuer: services.issuer).mount(on: router)
        RegistrationEndpoint(services: services).mount(on: router, for: access)
        AssociationEndpoint(services: services).mount(on: router, for: access)
        CrossPlatformTokenEndpoint(services: services, tokens: services.tokenService()).mount(on: router, for: access)
        TokenCheckEndpoint(services: services).mount(on: router)
    }
}
