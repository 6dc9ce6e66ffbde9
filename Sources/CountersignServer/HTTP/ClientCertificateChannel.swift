internal import Countersign
internal import HummingbirdCore
internal import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOSSL

/// Connections with TLS that let clients prove a certificate; a client without one is served too.
///
/// Each connection has a TLS context of its own, so that none is resumed from another: the certificate is always proved
/// and verified on the connection itself.
struct ClientCertificateChannel: ServerChildChannel {
    let plain: HTTP1Channel
    let certificate: ServerCertificate
    let verifier: ClientCertificateVerifier
    let clock: TimeSource

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        channel.eventLoop.makeCompletedFuture {
            let kept = CertificateHandler()
            let handler = NIOSSLServerHandler(
                context: try certificate.contextAskingClients(),
                customVerificationCallback: { [verifier, clock, proven = kept.proven] chain, answer in
                    let chain = chain.map { (try? $0.toDERBytes()) ?? [] }
                    answer.completeWithTask {
                        let verified = await verifier.verified(chain, at: clock.now())
                        proven.withLockedValue { $0 = verified }
                        return verified == nil ? .failed : .certificateVerified
                    }
                }
            )
            try channel.pipeline.syncOperations.addHandlers(handler, kept)
        }.flatMap {
            plain.setup(channel: channel, logger: logger)
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await plain.handle(value: value, logger: logger)
    }

    /// The certificate that was proved on `channel`; `nil` when there was none.
    static func certificate(of channel: any Channel) async -> PresentedCertificate? {
        let found = channel.eventLoop.submit {
            try channel.pipeline.syncOperations.handler(type: CertificateHandler.self).proven
        }
        return try? await found.get().withLockedValue { $0 }
    }

    /// Keeps the certificate of one connection.
    private final class CertificateHandler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = ByteBuffer

        let proven = NIOLockedValueBox<PresentedCertificate?>(nil)
    }
}
