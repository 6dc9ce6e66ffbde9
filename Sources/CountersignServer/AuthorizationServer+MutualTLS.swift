internal import CountersignWire
public import Hummingbird
internal import HummingbirdCore
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
        let limits = settings.connections
        let router = certificateRouter(below: mutualTLS.base.path)
        let base = RequestGate(base: OtherMethodResponder(base: router.buildResponder()), pages: pages)
        return Application(
            responder: CertificateResponder(base: base),
            server: HTTPServerBuilder { [services, clock = services.clock] responder in
                let plain = HTTP1Channel(
                    responder: responder,
                    configuration: .init(
                        additionalChannelHandlers: [
                            ConnectionLimitHandler(limits, services.connectionMemory(isEncrypted: true)),
                            ClientPresence.Watch(),
                        ],
                        httpDecoderConfiguration: RequestHeadLimits.decoder
                    )
                )
                let asking = ClientCertificateChannel(
                    plain: plain,
                    certificate: mutualTLS.certificate,
                    verifier: mutualTLS.verifier,
                    clock: clock
                )
                return EventLoopExecutorChannel(
                    base: NormalizingChannel(
                        base: ReceivedBytesChannel(base: asking), authority: mutualTLS.base.authority)
                )
            },
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
