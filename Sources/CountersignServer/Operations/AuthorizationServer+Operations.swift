public import Hummingbird
internal import HummingbirdCore
internal import Logging

extension AuthorizationServer {
    /// A listener beside the server, for those who run it: `/health/live`, `/health/ready` and `/metrics`.
    ///
    /// It speaks plain HTTP and authenticates no client, so only the operator's own machines should reach it. Let it
    /// stop after the server, so that it can tell that the server is stopping.
    public func operations(listening address: BindAddress) -> some ApplicationProtocol {
        let limits = services.settings.connections
        let connections = OpenConnections(most: limits.most)
        return Application(
            router: operationsRouter(),
            server: HTTPServerBuilder { [authority = "\(address)"] responder in
                HTTP10Channel(
                    base: HTTP1Channel(
                        responder: responder,
                        configuration: .init(additionalChannelHandlers: [ConnectionGuard(limits, among: connections)])
                    ),
                    authority: authority
                )
            },
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
