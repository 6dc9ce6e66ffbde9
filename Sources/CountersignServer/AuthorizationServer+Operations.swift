public import Hummingbird
internal import Logging
public import NIOCore

extension AuthorizationServer {
    /// The maximum number of connections of the operations listener at once.
    package static let mostForOperations = 64

    /// A listener beside the server, for those who run it: `/health/live`, `/health/ready` and `/metrics`.
    ///
    /// It has memory for ``mostForOperations`` connections of its own, so that it answers while clients have all the
    /// rest.
    ///
    /// It speaks plain HTTP and authenticates no client, so only the operator's own machines should reach it. Another
    /// site must not reach it through a browser on them: `/metrics` is shown under addresses, names of one word, the
    /// name that it listens on and the issuer's (``OperationsHosts``). Let it stop after the server, so that it can
    /// tell that the server is stopping.
    ///
    /// - Parameters:
    ///   - address: The address of the listener.
    ///   - host: The name that it listens on; `nil`, the default, where that is an address.
    ///   - onStart: Called with the listening channel once it answers.
    public func operations(
        listening address: BindAddress,
        named host: String? = nil,
        onStart: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        var listener = Listener(
            authority: services.issuer.authority,
            limits: settings.connections,
            memory: MemoryShare(room: Self.mostForOperations * MemoryCost.connection),
            addresses: services.addresses
        )
        // Reading the metrics of the process takes too long for a thread of connections.
        listener.answersOnEventLoops = false
        return Application(
            responder: operationsResponder(named: host),
            server: listener.builder,
            configuration: ApplicationConfiguration(address: address, serverName: nil),
            onServerRunning: onStart,
            logger: logger
        )
    }

    func operationsResponder(named host: String? = nil) -> some HTTPResponder<ServerRequestContext> {
        let router = Router(context: ServerRequestContext.self)
        router.add(middleware: HEADResponseMiddleware())
        router.add(middleware: HostMiddleware())
        router.add(middleware: ExactPathMiddleware())
        HealthEndpoints(readiness: readiness).mount(on: router)
        if let exposition {
            let hosts = OperationsHosts(listening: host, issuer: services.issuer)
            MetricsEndpoint(metrics: exposition, isOurs: hosts.isNamed).mount(on: router)
        }
        return OtherMethodResponder(base: router.buildResponder())
    }
}
