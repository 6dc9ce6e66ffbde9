internal import Countersign
internal import Hummingbird

/// The endpoints of Cross-Platform Authentication, another protocol for the same sign-in requests.
///
/// Standard: ETSI TS 103 407.
struct CrossPlatformEndpoints: Sendable {
    private let provider: ProviderEndpoint
    private let registration: RegistrationEndpoint
    private let association: AssociationEndpoint
    private let token: CrossPlatformTokenEndpoint
    private let check: TokenCheckEndpoint
    /// The origins whose web pages may call the endpoints, except the token check, which is for services.
    private let pages: CrossOriginAccess

    init(_ server: ServerServices, tokens: TokenService) {
        provider = ProviderEndpoint(issuer: server.issuer)
        registration = RegistrationEndpoint(server: server)
        association = AssociationEndpoint(server: server)
        token = CrossPlatformTokenEndpoint(server: server, tokens: tokens)
        check = TokenCheckEndpoint(server: server)
        pages = CrossOriginAccess(origins: server.crossPlatformOrigins)
    }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        provider.mount(on: router)
        registration.mount(on: router, for: pages)
        association.mount(on: router, for: pages)
        token.mount(on: router, for: pages)
        check.mount(on: router)
    }
}
