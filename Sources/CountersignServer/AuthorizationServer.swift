#if !Server
#error("CountersignServer needs the package trait Server, which `traits: []` leaves out")
#endif

public import CoreMetrics
public import Countersign
public import CountersignTransport
internal import CountersignWire
public import Hummingbird
public import Logging
public import NIOCore
internal import NIOPosix

/// An authorization server: every endpoint and page, and the services that it needs.
///
/// ```swift
/// let server = try AuthorizationServer(settings, keeping: store, clock: .system, random: .system, logger: logger)
/// try await server.application(listening: .hostname("127.0.0.1", port: 8080)).runService()
/// ```
///
/// Standard: RFC 6749, RFC 8628, OpenID Connect Core 1.0, ETSI TS 103 407; `Documentation/Standards.md` has all.
public struct AuthorizationServer: Sendable {
    let settings: ServerSettings
    /// The dependencies that endpoints and pages share.
    let services: FlowServices
    /// The ways in.
    let flows: [any SignInFlow]
    let pages: PageRoutes
    let logger: Logger
    let readiness: Readiness
    /// The network for telling clients of sign-outs and decisions, and for asking other providers.
    private let transport: any HTTPTransport
    /// The metrics in the text format of Prometheus; `nil` when another metrics system collects them.
    let exposition: PrometheusMetrics?

    /// The threads that hash passwords: at most two at once in the whole process, since each takes 128 MiB and a
    /// processor.
    private static let hashing: NIOThreadPool = {
        let threads = NIOThreadPool(numberOfThreads: 2)
        threads.start()
        return threads
    }()

    /// Creates a server; it listens once its ``application(listening:onStart:)`` runs.
    ///
    /// - Parameters:
    ///   - settings: The operator's settings.
    ///   - store: The store of everything; an opened `SQLiteStore` or `PostgresStore`. The caller closes it.
    ///   - clock: The time, and how to wait; `TimeSource.system` outside tests.
    ///   - random: The source of randomness for codes, tokens and keys; `RandomSource.system` outside tests.
    ///   - logger: The log of the server; at the level `debug` and below every answer is logged.
    ///   - transport: The network for telling clients of sign-outs and decisions, and for asking other providers; that
    ///     of this machine by default.
    ///   - factory: The receiver of metrics: the program's own by default, ``PrometheusMetrics`` for `/metrics`.
    /// - Throws: `TemplateError` when a page, which is part of the program, cannot be parsed.
    public init(
        _ settings: ServerSettings,
        keeping store: any Store,
        clock: TimeSource,
        random: RandomSource,
        logger: Logger,
        calling transport: any HTTPTransport = SystemTransport.make(),
        measuring factory: any MetricsFactory = MetricsSystem.factory
    ) throws {
        self.settings = settings
        let tracing = settings.tracer.map { ServerTracing($0, by: clock, trusting: settings.addresses) }
        let store = tracing.map { TracedStore(store, tracing: $0) as any Store } ?? store
        let transport = transport.traced(by: tracing)
        let metrics = ServerMetrics(factory, tracing: tracing)
        let services = FlowServices(
            settings,
            keeping: store,
            clock: clock,
            random: random,
            passwords: PasswordHasher(
                cost: settings.passwordCost,
                drawingFrom: random,
                on: Self.hashing,
                atOnce: settings.passwordsAtOnce,
                measuring: PasswordMetrics(factory, by: clock)
            ),
            metrics: metrics,
            logger: logger,
            calling: transport
        )
        self.services = services
        flows = Self.flows(services, settings)
        readiness = Readiness(store: store, behind: services.store, clock: clock)
        self.logger = logger
        self.transport = transport
        exposition = factory as? PrometheusMetrics
        pages = PageRoutes(
            services.core,
            renderer: try PageRenderer(base: settings.issuer.path, brand: settings.brand),
            returns: ReturnPage.ofAccount + [ActionLinkPage.returns] + Self.administrationReturns
                + flows.flatMap(\.returns),
            sessionLifetime: settings.browserSessionLifetime,
            localHosts: settings.localHosts,
            language: settings.language
        )
    }

    /// The ways in. A new one has its line here.
    private static func flows(_ services: FlowServices, _ settings: ServerSettings) -> [any SignInFlow] {
        var flows: [any SignInFlow] = [
            DeviceCodeFlow(services),
            AuthorizationCodeFlow(services: services),
            BackchannelFlow(services: services),
            CrossPlatformFlow(services: services, origins: Set(settings.crossPlatformOrigins)),
            ApproverFlow(services, pins: settings.pins),
            CustomerSitesFlow(
                requests: CustomerSiteRequests(
                    services, language: settings.language, takesLegacyDevices: settings.legacyAuthenticator != nil)),
        ]
        if settings.offersSignInWithPhone { flows.append(BrowserSignInFlow(services: services)) }
        if let legacy = settings.legacyAuthenticator {
            flows.append(LegacyDevicesFlow(services, legacy, certificate: settings.certificate))
        }
        return flows
    }

    /// Returns the server as a service to run.
    ///
    /// It listens until it is told to stop; then it answers the requests that it has begun, and ends.
    ///
    /// - Parameters:
    ///   - address: The address to listen at: a host and port, or a Unix domain socket.
    ///   - onStart: Called once with the listening channel, whose local address tells the port that was chosen for port
    ///     0.
    public func application(
        listening address: BindAddress,
        onStart: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let (responder, fastPath) = answering()
        var listener = Listener(
            security: settings.certificate.map(ConnectionSecurity.encrypted) ?? .plain,
            authority: settings.issuer.authority,
            limits: settings.connections,
            memory: services.memory,
            addresses: services.addresses,
            fastPath: fastPath
        )
        listener.drain = readiness.drain
        var application = Application(
            responder: responder,
            server: listener.builder,
            configuration: ApplicationConfiguration(
                address: address, serverName: nil, backlog: ConnectionLimits.backlog),
            onServerRunning: { [services, flows, readiness] channel in
                ConnectionLimits.boundUnreadBytes(of: channel)
                // The server ends only when all its requests have ended, so held requests are answered as soon as it
                // stops listening.
                channel.closeFuture.whenComplete { _ in
                    readiness.drain.begin()
                    services.tokens.waits.close()
                    for flow in flows { flow.stop() }
                }
                await onStart(channel)
            },
            logger: logger
        )
        // A server that listens is ready: it has its keys. When they cannot be made now, maintenance tries again.
        application.beforeServerStarts { [services, logger] in
            do {
                _ = try await services.keys.current()
            } catch {
                logger.error("no keys yet", metadata: ["reason": "\(error)"])
            }
        }
        application.addServices(
            Maintenance(
                store: services.store,
                keys: services.keys,
                mint: services.mint,
                newDevices: services.accounts.newDevices,
                clock: services.clock,
                auditLifetime: settings.auditLifetime,
                logger: logger
            ),
            RequestRateSharing(requestLimiter: services.requestLimiter, clock: services.clock, logger: logger),
            notices(over: transport),
            deliveries(over: transport, telling: environmentWebhooks),
            ProviderRefresh(directory: services.providers.directory, store: services.store, clock: services.clock)
        )
        if let certificate = settings.certificate {
            let meter = Meter(label: "countersign_tls_certificate_expires_seconds", factory: services.metrics.factory)
            application.addServices(
                CertificateWatch(certificate: certificate, clock: services.clock, logger: logger, meter: meter)
            )
        }
        return application
    }

    /// Announces that the server is going to stop, so that load balancers send requests elsewhere: `/health/ready`
    /// answers 503 from now on, and each connection ends after its next answer. Everything is still answered.
    public func drain() {
        readiness.drain.begin()
    }

    /// Calls the servers of customers.
    var environmentWebhooks: CustomerSiteWebhooks {
        CustomerSiteWebhooks(store: services.store, keys: services.keys, clock: services.clock)
    }

    /// Tells clients of sign-outs and decisions.
    func notices(over transport: any HTTPTransport) -> NoticeDelivery {
        NoticeDelivery(services.core, from: BackchannelNotifier(services), over: transport, logger: logger)
    }

    /// Sends what has to reach phones and customers' servers.
    func deliveries(
        over transport: any HTTPTransport,
        telling source: (any WebhookSource)? = nil
    ) -> DeliveryService {
        DeliveryService(
            services.core,
            settings: settings.delivery,
            writing: MailRenderer(
                renderer: pages.renderer, siteName: settings.brand.name, issuer: settings.issuer,
                language: settings.language),
            checking: MailSecretCheck(),
            over: transport,
            logger: logger,
            telling: source
        )
    }

    /// The responder for all requests, and the fast path for some of them.
    func answering() -> (some HTTPResponder<ServerRequestContext>, FastPath) {
        let endpoints = endpoints()
        let responder = RequestGate(base: OtherMethodResponder(base: router(endpoints).buildResponder()), pages: pages)
        return (responder, fastPath(of: endpoints))
    }

    /// The routes of all endpoints and pages.
    func router() -> Router<ServerRequestContext> { router(endpoints()) }

    /// The endpoints for programs that belong to no way in.
    private struct Endpoints {
        let metadata: MetadataEndpoint
        let keys: KeysEndpoint
        let token: TokenEndpoint
        let introspection: IntrospectionEndpoint
        let revocation: RevocationEndpoint
        let userInfo: UserInfoEndpoint
        let exchangeNonce: TokenExchangeNonceEndpoint
        let registration: ClientRegistrationEndpoints?
    }

    private func endpoints() -> Endpoints {
        let (core, clients, issuing) = (services.core, services.clients, services.tokens)
        return Endpoints(
            metadata: MetadataEndpoint(
                issuer: services.issuer,
                flows: flows,
                registers: settings.registration != nil,
                mutualTLS: settings.mutualTLS,
                policy: core.policy
            ),
            keys: KeysEndpoint(core: core),
            token: TokenEndpoint(core: core, clients: clients, service: services.tokenService()),
            introspection: IntrospectionEndpoint(core: core, clients: clients, tokens: issuing),
            revocation: RevocationEndpoint(core: core, clients: clients),
            userInfo: UserInfoEndpoint(core: core, clients: clients, tokens: issuing),
            exchangeNonce: TokenExchangeNonceEndpoint(
                core: core, clients: clients, providers: services.providers),
            registration: settings.registration.map { policy in
                var policy = policy
                policy.takesCertificates = settings.mutualTLS != nil
                return ClientRegistrationEndpoints(core: core, clients: clients, policy: policy)
            }
        )
    }

    /// The requests that are answered on the thread of their connection; ``FastPath`` says why these.
    private func fastPath(of endpoints: Endpoints) -> FastPath {
        var path = FastPath(clock: services.clock, metrics: services.metrics, logger: logger)
        let base = services.issuer.path
        path.add(.post, "\(base)/token", as: "/token", endpoints.token.quickOutcome)
        path.add(.post, "\(base)/introspect", as: "/introspect", endpoints.introspection.quickOutcome)
        path.add(.get, "\(base)/jwks", as: "/jwks") { [keys = endpoints.keys] _ in try keys.quickOutcome() }
        for flow in flows { flow.add(to: &path) }
        for name in MetadataEndpoint.names {
            let name = "/.well-known/\(name)"
            guard let document = try? endpoints.metadata.document.get() else { continue }
            path.add(.get, "\(base)\(name)", as: name) { _ in .answer(document) }
        }
        return path
    }

    private func router(_ endpoints: Endpoints) -> Router<ServerRequestContext> {
        let (root, router) = emptyRouter(below: services.issuer.path)
        endpoints.metadata.mount(on: router, root: root)
        DescriptionEndpoint(
            for: services.issuer, with: flows.flatMap(\.descriptionParts), registering: settings.registration != nil
        ).mount(on: router)
        endpoints.keys.mount(on: router)
        mountForClients(endpoints, on: router)
        endpoints.registration?.mount(on: router)
        for flow in flows { flow.mount(on: router, showing: pages) }
        mountPages(on: router, root: root)
        mountOperations(on: router, root: root)
        return root
    }

    /// Mounts the endpoints that clients call, whether they may prove certificates there or not.
    private func mountForClients(_ endpoints: Endpoints, on router: some RouterMethods<ServerRequestContext>) {
        for flow in flows { flow.mountForClients(on: router) }
        endpoints.token.mount(on: router)
        endpoints.introspection.mount(on: router)
        endpoints.revocation.mount(on: router)
        endpoints.userInfo.mount(on: router)
        endpoints.exchangeNonce.mount(on: router)
    }

    /// The endpoints where clients may prove certificates.
    func certificateRouter(below path: String) -> Router<ServerRequestContext> {
        let (root, router) = emptyRouter(below: path)
        mountForClients(endpoints(), on: router)
        return root
    }

    /// A router without routes, and its measured part below a path.
    private func emptyRouter(
        below path: String
    ) -> (root: Router<ServerRequestContext>, measured: some RouterMethods<ServerRequestContext>) {
        let root = Router(context: ServerRequestContext.self)
        root.add(middleware: HEADResponseMiddleware())
        let unknown = RouteMeter(route: "unknown", method: "other", metrics: services.metrics)
        root.add(middleware: NotFoundMiddleware(pages: pages, unknown: unknown))
        root.add(middleware: ExactPathMiddleware())
        // A group without a path would wrap each route for nothing.
        let base: any RouterMethods<ServerRequestContext> = path.isEmpty ? root : root.group(RouterPath(path))
        return (root, MeasuredRoutes(base: base, metrics: services.metrics, clock: services.clock))
    }

    /// Health is answered at the root, for probes that don't know the issuer, and below the issuer, for requests
    /// through a proxy.
    private func mountOperations(
        on router: some RouterMethods<ServerRequestContext>,
        root: some RouterMethods<ServerRequestContext>
    ) {
        HealthEndpoints(readiness: readiness).mount(on: root)
        if !services.issuer.path.isEmpty { HealthEndpoints(readiness: readiness).mount(on: router) }
        if settings.showsMetrics, let exposition {
            MetricsEndpoint(metrics: exposition, isOurs: { [hosts = pages.hosts] in hosts.isNamed(by: $0) })
                .mount(on: root)
        }
    }

    private func mountPages(
        on router: some RouterMethods<ServerRequestContext>, root: some RouterMethods<ServerRequestContext>
    ) {
        for asset in pages.renderer.assets {
            PageAssetEndpoint(pages: pages, asset: asset).mount(on: router)
        }
        let login = LoginPage(
            pages: pages, core: services.core, accounts: services.accounts,
            offersPhone: settings.offersSignInWithPhone)
        login.mount(on: router)
        PasskeySignInPage(pages: pages, core: services.core, accounts: services.accounts, login: login)
            .mount(on: router)
        SecondFactorPage(pages: pages, core: services.core, accounts: services.accounts).mount(on: router)
        ProviderSignInPage(pages: pages, core: services.core, providers: services.providers).mount(on: router)
        EndSessionPage(pages: pages, core: services.core).mount(on: router)
        AccountPage(pages: pages, core: services.core, accounts: services.accounts, providers: services.providers)
            .mount(on: router)
        BrowserPushPage(pages: pages, core: services.core, accounts: services.accounts).mount(on: router)
        RequestHistoryPage(pages: pages, core: services.core).mount(on: router)
        PasskeysPage(pages: pages, core: services.core, accounts: services.accounts).mount(on: router)
        PasswordPage(pages: pages, core: services.core, accounts: services.accounts).mount(on: router, root: root)
        ActionLinkPage(pages: pages, core: services.core, accounts: services.accounts).mount(on: router)
        ForgottenPasswordPage(pages: pages, services: services).mount(on: router)
        EmailPage(pages: pages, core: services.core).mount(on: router)
        TimeZonePage(pages: pages, core: services.core).mount(on: router)
        AccountExportPage(pages: pages, core: services.core).mount(on: router)
        AccountDeletionPage(pages: pages, core: services.core, delay: settings.accountRemovalDelay).mount(on: router)
        OneTimePasswordPage(pages: pages, core: services.core, accounts: services.accounts).mount(on: router)
        mountAdministration(on: router)
        pages.mount("", [.get: { _, _ in pages.redirect(to: "/account") }], on: router)
    }
}
