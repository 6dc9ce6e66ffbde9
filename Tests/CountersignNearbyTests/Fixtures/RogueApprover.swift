import Countersign
@testable import CountersignNearby
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A stranger's device that is found first, claims that the code was right, and hopes to be believed; or says that it
/// is busy once the code is shown, and hopes that another one follows.
final class RogueApprover: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let saysBusy: Bool
    private var reader = FrameReader()
    private var answered: ApproverHandshake.Answer?
    private var link: EstablishedLink?

    private init(sayingBusy saysBusy: Bool) { self.saysBusy = saysBusy }

    struct Listening: Sendable {
        let channel: any Channel
        var port: UInt16 { UInt16(channel.localAddress?.port ?? 0) }
        func close() async { try? await channel.close() }
    }

    static func listen(sayingBusy saysBusy: Bool = false) async throws -> Listening {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RogueApprover(sayingBusy: saysBusy))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return Listening(channel: channel)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        reader.append(unwrapInboundIn(data).readableBytesView)
        do {
            while let frame = try reader.next() { try take(frame, context) }
        } catch {
            context.close(promise: nil)
        }
    }

    private func take(_ frame: [UInt8], _ context: ChannelHandlerContext) throws {
        if link != nil {
            let message = LinkMessage(parsing: try link?.session.open(frame) ?? [])
            switch message {
            case .commit(let run, _):
                try say(.ready(run, LinkNonce(drawingFrom: .system)), context)
                try say(saysBusy ? .end(.busy) : .typed(run, LinkDigest(of: [1])), context)
            case .reveal(let run, _): try say(.open(run, LinkNonce(drawingFrom: .system)), context)
            default: break
            }
        } else if let answered {
            link = try answered.read(frame)
        } else if let app = NearbyAppID("net.example.player"),
            case .greeted(let greeted) = try ApproverHandshake(app: app, versions: .ours).read(frame)
        {
            let answer = try greeted.answer(as: nil, drawingFrom: .system)
            answered = answer
            send(answer.frame, context)
        }
    }

    private func say(_ message: LinkMessage, _ context: ChannelHandlerContext) throws {
        if let sealed = try link?.session.seal(message.bytes) { send(sealed, context) }
    }

    private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: FrameReader.frame(of: bytes) ?? [])), promise: nil)
    }
}
