#if PostgreSQL
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import PostgresUnderTest
import Testing

@testable import CountersignPostgres

/// Stands between a store and its server, and cuts the line at a chosen moment.
final class CuttingProxy: Sendable {
    enum Mode: Sendable {
        /// Everything passes.
        case open
        /// Nobody gets through.
        case closed
        /// Bytes are taken and lead nowhere, as at a machine that stands still.
        case silent
        /// Connections are made, and statements lead nowhere.
        case silentInSession
        /// The next COMMIT does not reach the server; then the mode is the other one.
        indirect case cuttingTheCommit(then: Mode)
        /// The server's answer to the next COMMIT does not come back; then the mode is the other one.
        indirect case cuttingTheAnswer(then: Mode)
    }

    let port: Int
    private let mode: NIOLockedValueBox<Mode>
    private let listener: any Channel
    private let group: MultiThreadedEventLoopGroup

    private init(listener: any Channel, on group: MultiThreadedEventLoopGroup, mode: NIOLockedValueBox<Mode>) {
        self.listener = listener
        self.group = group
        self.mode = mode
        port = listener.localAddress?.port ?? 0
    }

    /// Starts to listen, on a port of its own. It has a thread of its own, which no other test keeps busy.
    ///
    /// - Parameter server: The server's socket.
    static func start(before server: String) async throws -> CuttingProxy {
        let mode = NIOLockedValueBox(Mode.open)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let listener = try await ServerBootstrap(group: group)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in
                if case .closed = mode.withLockedValue({ $0 }) { return client.close() }
                return ClientBootstrap(group: client.eventLoop)
                    .channelOption(.autoRead, value: false)
                    .connect(unixDomainSocketPath: server)
                    .flatMap { server in
                        client.eventLoop.makeCompletedFuture {
                            try client.pipeline.syncOperations.addHandler(Relay(to: server, direction: .up, mode))
                            try server.pipeline.syncOperations.addHandler(Relay(to: client, direction: .down, mode))
                        }.flatMap { server.setOption(.autoRead, value: true) }
                            .flatMap { client.setOption(.autoRead, value: true) }
                    }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return CuttingProxy(listener: listener, on: group, mode: mode)
    }

    /// Opens a store behind a proxy, on a schema that goes away.
    static func withStore(
        timeouts: Timeouts,
        _ body: (PostgresStore, CuttingProxy) async throws -> Void
    ) async throws {
        try await TestSchema.with { schema in
            // The directory of the server's socket stands where other URLs have a host.
            let directory = try #require(schema.url.firstMatch(of: /@([^@\/]+)\//)).1
            let proxy = try await start(
                before: "\(try #require(directory.removingPercentEncoding))/.s.PGSQL.5432"
            )
            let store = try PostgresStore.open(
                schema.url.replacing("@\(directory)/", with: "@127.0.0.1:\(proxy.port)/"),
                timeouts: timeouts
            )
            try await body(store, proxy)
            await store.close()
            try await proxy.stop()
        }
    }

    func become(_ mode: Mode) {
        self.mode.withLockedValue { $0 = mode }
    }

    func stop() async throws {
        try await listener.close()
        try await group.shutdownGracefully()
    }
}

private final class Relay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    enum Direction { case up, down }

    private let peer: any Channel
    private let direction: Direction
    private let mode: NIOLockedValueBox<CuttingProxy.Mode>

    init(to peer: any Channel, direction: Direction, _ mode: NIOLockedValueBox<CuttingProxy.Mode>) {
        self.peer = peer
        self.direction = direction
        self.mode = mode
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        switch mode.withLockedValue({ $0 }) {
        case .silent: return
        case .silentInSession where direction == .up && !isOfStart(buffer): return
        default: break
        }
        guard mustCut(buffer) else { return peer.writeAndFlush(buffer, promise: nil) }
        peer.close(promise: nil)
        context.close(promise: nil)
    }

    /// Whether a message belongs to the start of a connection: the first ones have no type, and passwords the type `p`.
    private func isOfStart(_ message: ByteBuffer) -> Bool {
        [0, UInt8(ascii: "p")].contains(message.readableBytesView.first)
    }

    func channelInactive(context: ChannelHandlerContext) {
        peer.close(promise: nil)
    }

    private func mustCut(_ buffer: ByteBuffer) -> Bool {
        // The name of the statement and that of the answer, each as it ends on the wire.
        guard buffer.readableBytesView.firstRange(of: Array("COMMIT\0".utf8)) != nil else { return false }
        return mode.withLockedValue { mode in
            switch (mode, direction) {
            case (.cuttingTheCommit(let next), .up), (.cuttingTheAnswer(let next), .down):
                mode = next
                return true
            default: return false
            }
        }
    }
}
#endif
