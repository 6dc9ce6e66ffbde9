package import Countersign
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOSSL

/// The TLS of a listener's connections.
package enum ConnectionSecurity: Sendable {
    /// No TLS.
    case plain
    /// TLS with the certificate that is current when a connection is opened.
    case encrypted(ServerCertificate)
    /// The same, and clients may prove a certificate; a client without one is served too.
    case askingClients(ServerCertificate, ClientCertificateVerifier, clock: TimeSource)

    var isEncrypted: Bool {
        if case .plain = self { false } else { true }
    }

    /// The first handlers of a new connection.
    ///
    /// A connection that may prove a certificate has a TLS context of its own, so that none is resumed from another:
    /// the certificate is always proved and verified on the connection itself.
    func handlers() throws -> [any ChannelHandler] {
        switch self {
        case .plain: return []
        case .encrypted(let certificate): return [NIOSSLServerHandler(context: certificate.context)]
        case .askingClients(let certificate, let verifier, let clock):
            let holder = ClientCertificateHandler()
            let handler = NIOSSLServerHandler(
                context: try certificate.contextAskingClients(),
                customVerificationCallback: { [proven = holder.proven] chain, answer in
                    let chain = chain.map { (try? $0.toDERBytes()) ?? [] }
                    answer.completeWithTask {
                        let verified = await verifier.verified(chain, at: clock.now())
                        proven.withLockedValue { $0 = verified }
                        return verified == nil ? .failed : .certificateVerified
                    }
                }
            )
            return [handler, holder]
        }
    }
}

extension PresentedCertificate {
    /// The certificate that was proved on `channel`; `nil` when there was none.
    static func proved(on channel: any Channel) async -> PresentedCertificate? {
        let found = channel.eventLoop.submit {
            try channel.pipeline.syncOperations.handler(type: ClientCertificateHandler.self).proven
        }
        return try? await found.get().withLockedValue { $0 }
    }
}

/// Holds the certificate that was proved on a connection.
private final class ClientCertificateHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    let proven = NIOLockedValueBox<PresentedCertificate?>(nil)
}
