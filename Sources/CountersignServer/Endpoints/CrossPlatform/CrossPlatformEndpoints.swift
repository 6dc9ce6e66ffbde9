internal import Countersign
internal import Hummingbird

/// The endpoints of Cross-Platform Authentication: a dialect in which the same requests are made and answered.
///
/// Standard: ETSI TS 103 407.
struct CrossPlatformEndpoints: Sendable {
    private let registration: RegistrationEndpoint
    private let association: AssociationEndpoint
    private let token: CrossPlatformTokenEndpoint
    private let check: TokenCheckEndpoint
    /// The web pages that may ask all but the last, which is for services.
    private let pages: CrossOriginAccess

    init(
        settings: ServerSettings,
        clients: ClientAuthentication,
        store: any Store,
        keys: KeyRing,
        mint: CodeMint,
        tokens: TokenIssuer,
        deviceCode: DeviceCodeGrant,
        policy: Policy,
        limits: Limits,
        traffic: Traffic,
        wrongGrants: WrongAttempts,
        clock: ServerClock,
        sight: AddressSight,
        metrics: ServerMetrics
    ) {
        registration = RegistrationEndpoint(store: store, mint: mint, limits: limits, clock: clock, sight: sight)
        association = AssociationEndpoint(
            issuer: settings.issuer,
            clients: clients,
            store: store,
            keys: keys,
            mint: mint,
            signOn: SingleSignOn(mint: mint, policy: policy),
            policy: policy,
            limits: limits,
            clock: clock,
            sight: sight
        )
        token = CrossPlatformTokenEndpoint(
            clients: clients,
            store: store,
            deviceCode: deviceCode,
            clientCredentials: CrossPlatformClientGrant(store: store, tokens: tokens, policy: policy, clock: clock),
            traffic: traffic,
            wrongGrants: wrongGrants,
            sight: sight,
            metrics: metrics
        )
        check = TokenCheckEndpoint(
            store: store,
            policy: policy,
            wrongCredentials: clients.wrongSecrets,
            clock: clock,
            sight: sight
        )
        pages = CrossOriginAccess(origins: Set(settings.crossPlatformOrigins))
    }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        registration.mount(on: router, for: pages)
        association.mount(on: router, for: pages)
        token.mount(on: router, for: pages)
        check.mount(on: router)
    }
}
