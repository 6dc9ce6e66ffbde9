internal import CountersignWire
public import Hummingbird
internal import Logging
public import NIOCore

extension AuthorizationServer {
    /// A listener beside the server that asks each client for a certificate, and serves clients without one too.
    ///
    /// It answers the endpoints of ``MutualTLS/aliases`` and nothing else: a browser that came here would ask its
    /// person for a certificate.
    /// Standard: RFC 8705 §2, §5.
    ///
    /// - Parameters:
    ///   - mutualTLS: The server's own ``ServerSettings/mutualTLS``.
    ///   - address: The address of the listener.
    ///   - onStart: Called with the listening channel once it answers.
    public func listener(
        for mutualTLS: MutualTLS,
        listening address: BindAddress,
        onStart: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let router = certificateRouter(below: mutualTLS.base.path)
        let base = RequestGate(base: OtherMethodResponder(base: router.buildResponder()), pages: pages)
        var listener = Listener(
            security: .askingClients(mutualTLS.certificate, mutualTLS.verifier, clock: services.clock),
            authority: mutualTLS.base.authority,
            limits: settings.connections,
            memory: services.memory,
            addresses: services.addresses
        )
        listener.drain = readiness.drain
        return Application(
            responder: CertificateResponder(base: base),
            server: listener.builder,
            configuration: ApplicationConfiguration(
                address: address, serverName: nil, backlog: ConnectionLimits.backlog),
            onServerRunning: { channel in
                ConnectionLimits.boundUnreadBytes(of: channel)
                await onStart(channel)
            },
            logger: logger
        )
    }
}
