public import Hummingbird
internal import Logging

extension AuthorizationServer {
    /// A listener beside the server, for those who run it: `/health/live`, `/health/ready` and `/metrics`.
    ///
    /// It speaks plain HTTP and asks nobody who they are, so only the operator's own machines should reach it. Let it
    /// stop after the server, so that it can tell that the server is stopping.
    public func operations(listening address: BindAddress) -> some ApplicationProtocol {
        Application(
            router: operationsRouter(),
            server: .http1(
                configuration: .init(
                    idleTimeout: .milliseconds(Int64(services.settings.connections.longestSilence * 1000)))
            ),
            configuration: ApplicationConfiguration(address: address, serverName: nil),
            logger: logger
        )
    }

    func operationsRouter() -> Router<ServerRequestContext> {
        let router = Router(context: ServerRequestContext.self)
        router.add(middleware: HeadAnswers())
        HealthEndpoints(readiness: readiness).mount(on: router)
        if let exposition { MetricsEndpoint(metrics: exposition).mount(on: router) }
        return router
    }
}
