package import Countersign
internal import CountersignHTTP
package import CountersignTransport
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
package import Hummingbird
package import Logging
package import NIOCore

/// Forward authentication for sites behind a proxy: the proxy asks about each request, and the gate signs browsers in.
package struct Gate: Sendable {
    /// The memory for connections of proxies, in bytes.
    private static let room = 64 << 20

    private let services: GateServices
    private let logger: Logger

    /// Creates a gate, with the sessions of its former process.
    ///
    /// - Parameters:
    ///   - secret: The secret of the gate's client.
    ///   - transport: The network to the server.
    /// - Throws: ``GateStateError`` when the keys cannot be read or made.
    package init(
        _ configuration: GateConfiguration,
        secret: ClientSecret,
        over transport: any HTTPTransport,
        clock: TimeSource,
        random: RandomSource,
        logger: Logger
    ) throws(GateStateError) {
        let keys = try GateKeys(in: configuration.state, drawingFrom: random)
        let provider = GateProvider(
            configuration.issuer, as: configuration.client, secret: secret, over: transport, clock: clock)
        let verifier = SignInVerifier(provider, for: configuration.client)
        let check = SessionCheck(provider: provider, verifier: verifier, clock: clock)
        let sessions = GateSessions(
            configuration, in: SessionFiles(in: configuration.state, logger: logger), checking: check, clock: clock,
            logger: logger)
        sessions.restore()
        services = GateServices(
            configuration: configuration, provider: provider, verifier: verifier, check: check, sessions: sessions,
            keys: keys, assertions: SiteAssertions(keys, capacity: configuration.mostSessions), clock: clock,
            random: random)
        self.logger = logger
    }

    /// The responder of all requests.
    package var responder: GateResponder { GateResponder(services) }

    /// The application that answers on an address.
    ///
    /// - Parameter onStart: Runs when it listens.
    package func application(
        listening address: BindAddress,
        onStart: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let configuration = services.configuration
        let listener = Listener(
            authority: configuration.listen,
            limits: ConnectionLimits(),
            memory: MemoryShare(room: Self.room),
            addresses: ClientAddressResolver(issuer: configuration.issuer, trustedProxies: configuration.proxies)
        )
        return Application(
            responder: responder,
            server: listener.builder,
            configuration: ApplicationConfiguration(
                address: address, serverName: nil, backlog: ConnectionLimits.backlog),
            onServerRunning: onStart,
            logger: logger
        )
    }
}
