public import Hummingbird
internal import HummingbirdCore
internal import Logging
public import NIOCore

extension AuthorizationServer {
    /// How many connections the operations listener may have at once.
    package static let mostForOperations = 64

    /// A listener beside the server, for those who run it: `/health/live`, `/health/ready` and `/metrics`.
    ///
    /// It has room for ``mostForOperations`` connections of its own, so that it answers while clients have all others.
    ///
    /// It speaks plain HTTP and authenticates no client, so only the operator's own machines should reach it. Let it
    /// stop after the server, so that it can tell that the server is stopping.
    ///
    /// - Parameters:
    ///   - address: Where it listens.
    ///   - onStart: Called with the listening channel once it answers.
    public func operations(
        listening address: BindAddress,
        onStart: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let limits = services.settings.connections
        let connections = ConnectionRegistry(most: min(limits.most, Self.mostForOperations))
        return Application(
            responder: operationsResponder(),
            server: HTTPServerBuilder { [authority = services.issuer.authority] responder in
                NormalizingChannel(
                    base: HTTP1Channel(
                        responder: responder,
                        configuration: .init(additionalChannelHandlers: [
                            ConnectionLimitHandler(limits, among: connections)
                        ])
                    ),
                    authority: authority
                )
            },
            configuration: ApplicationConfiguration(address: address, serverName: nil),
            onServerRunning: onStart,
            logger: logger
        )
    }

    func operationsResponder() -> some HTTPResponder<ServerRequestContext> {
        let router = Router(context: ServerRequestContext.self)
        router.add(middleware: HEADResponseMiddleware())
        router.add(middleware: HostMiddleware())
        router.add(middleware: ExactPathMiddleware())
        HealthEndpoints(readiness: readiness).mount(on: router)
        if let exposition { MetricsEndpoint(metrics: exposition, hosts: nil).mount(on: router) }
        return OtherMethodResponder(base: router.buildResponder())
    }
}
