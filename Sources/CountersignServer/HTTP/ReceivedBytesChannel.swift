internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// Counts the bytes of each connection of `base` before they are parsed: those of a head that never ends, too.
struct ReceivedBytesChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let limits = try pipeline.handler(type: ConnectionLimitHandler.self)
            try pipeline.addHandler(ReceivedBytesHandler(in: limits.memory), position: .before(decoder))
            return value
        }
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}

private final class ReceivedBytesHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let memory: ConnectionMemory

    init(in memory: ConnectionMemory) {
        self.memory = memory
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        memory.receive(unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }
}
