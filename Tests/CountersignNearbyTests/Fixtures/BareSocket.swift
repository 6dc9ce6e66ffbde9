@testable import CountersignNearby
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A connection for whatever bytes a test sends.
final class BareSocket: Sendable {
    private let channel: any Channel
    private let arriving: AsyncStream<[UInt8]>
    private let reader = NIOLockedValueBox(FrameReader())

    private init(channel: any Channel, arriving: AsyncStream<[UInt8]>) {
        self.channel = channel
        self.arriving = arriving
    }

    static func connect(to port: UInt16) async throws -> BareSocket {
        let (arriving, arrived) = AsyncStream<[UInt8]>.makeStream()
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Arrivals(arrived))
                }
            }
            .connect(host: "127.0.0.1", port: Int(port)).get()
        return BareSocket(channel: channel, arriving: arriving)
    }

    func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    /// The next frame; `nil` when the other end has closed.
    func frame() async -> [UInt8]? {
        var iterator = arriving.makeAsyncIterator()
        while true {
            if let frame = try? reader.withLockedValue({ try $0.next() }) { return frame }
            guard let bytes = await iterator.next() else { return nil }
            reader.withLockedValue { $0.append(bytes) }
        }
    }

    func close() async {
        try? await channel.close()
    }

    private final class Arrivals: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let arrived: AsyncStream<[UInt8]>.Continuation

        init(_ arrived: AsyncStream<[UInt8]>.Continuation) { self.arrived = arrived }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            arrived.yield(Array(unwrapInboundIn(data).readableBytesView))
        }

        func channelInactive(context: ChannelHandlerContext) { arrived.finish() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
