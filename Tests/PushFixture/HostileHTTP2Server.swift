package import CountersignTransport
import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL

/// A server that answers each request over HTTP/2 with the blocks of fields that a test wrote down, whatever they are.
package struct HostileHTTP2Server: Sendable {
    /// Host and port.
    package let place: String
    private let certificate: String

    /// A network that trusts the server.
    package func network(offeringHTTP2: Bool = true) -> AsyncHTTPTransport {
        AsyncHTTPTransport(trustingFile: certificate, offeringHTTP2: offeringHTTP2)
    }

    /// Runs a server while `test` runs.
    ///
    /// - Parameter blocks: The blocks of one answer, in order; the last one ends it.
    package static func run(
        answering blocks: [[(String, String)]],
        _ test: @Sendable (HostileHTTP2Server) async throws -> Void
    ) async throws {
        let identity = try TestCertificate()
        let file = try identity.written()
        defer { try? FileManager.default.removeItem(atPath: file) }
        var tls = try identity.configuration()
        tls.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: tls)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    try pipeline.addHandler(
                        NIOHTTP2Handler(
                            mode: .server, headerBlockValidation: .disabled, contentLengthValidation: .disabled))
                    try pipeline.addHandler(
                        HTTP2StreamMultiplexer(mode: .server, channel: channel) { stream in
                            stream.eventLoop.makeCompletedFuture {
                                try stream.pipeline.syncOperations.addHandler(Answerer(blocks))
                            }
                        })
                }
            }
            .bind(host: "localhost", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        do {
            try await test(HostileHTTP2Server(place: "localhost:\(port)", certificate: file))
        } catch {
            try? await channel.close()
            throw error
        }
        try await channel.close()
    }
}

/// Answers as soon as a request is there whole.
private final class Answerer: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let blocks: [[(String, String)]]

    init(_ blocks: [[(String, String)]]) {
        self.blocks = blocks
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let isEnd =
            switch unwrapInboundIn(data) {
            case .headers(let content): content.endStream
            case .data(let content): content.endStream
            default: false
            }
        guard isEnd else { return }
        for (number, fields) in blocks.enumerated() {
            let content = HTTP2Frame.FramePayload.Headers(
                headers: HPACKHeaders(fields), endStream: number == blocks.count - 1)
            context.write(wrapOutboundOut(.headers(content)), promise: nil)
        }
        context.flush()
    }
}
