package import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// A port of the server: its connections have the same TLS, limits and fast path.
package struct Listener: Sendable {
    private let security: ConnectionSecurity
    private let authority: String
    private let limits: ConnectionLimits
    private let memory: MemoryShare
    private let addresses: ClientAddressResolver
    private let fastPath: FastPath?

    /// Whether requests are answered on the thread that reads and writes their connection.
    ///
    /// Otherwise each request moves from that thread to one of Swift's own and back; on a small machine these switches
    /// cost as much as the answers. Nothing slow may run on these threads: the store and the hashing of passwords have
    /// threads of their own, and a task that waits for them does not block the thread.
    package var answersOnEventLoops = true

    /// Ends the connections after their next answer once it has begun; by default it never does.
    package var drain = ConnectionDrain()

    /// Creates a listener.
    ///
    /// - Parameters:
    ///   - authority: The host of an HTTP/1.0 request that names none.
    ///   - memory: The memory that the connections share.
    ///   - fastPath: Answers some requests without the router; `nil`, the default, where the router answers all.
    package init(
        security: ConnectionSecurity = .plain,
        authority: String,
        limits: ConnectionLimits,
        memory: MemoryShare,
        addresses: ClientAddressResolver,
        fastPath: FastPath? = nil
    ) {
        self.security = security
        self.authority = authority
        self.limits = limits
        self.memory = memory
        self.addresses = addresses
        self.fastPath = fastPath
    }

    /// Builds the server of this listener.
    package var builder: HTTPServerBuilder {
        HTTPServerBuilder { responder in
            let http = HTTP1Channel(
                responder: responder,
                configuration: .init(additionalChannelHandlers: handlers(), httpDecoderConfiguration: Self.headLimits)
            )
            return ListenerChannel(
                http: http, security: security, authority: authority, answersOnEventLoop: answersOnEventLoops)
        }
    }

    private func handlers() -> [any RemovableChannelHandler] {
        let memory = ConnectionMemory(in: memory, resolving: addresses, isEncrypted: security.isEncrypted)
        let handlers: [any RemovableChannelHandler] = [
            ConnectionLimitHandler(limits, memory, endedBy: drain), ClientPresence.Watch(),
        ]
        return handlers + (fastPath.map { [FastPathHandler($0)] } ?? [])
    }

    /// The limits of the parser for the request line and the header fields: bytes of all together, and fields. Beyond
    /// them the answer is 431, and the connection is closed.
    ///
    /// Standard: RFC 6585 §5.
    private static let headLimits = HTTP1Channel.Configuration.DecoderConfiguration(
        maxHeaderFieldSize: 32_768, maxHeaderListSize: 32_768, maxHeaderFieldCount: 100)
}

/// Sets up the connections of a ``Listener``.
private struct ListenerChannel: ServerChildChannel {
    let http: HTTP1Channel
    let security: ConnectionSecurity
    let authority: String
    let answersOnEventLoop: Bool

    /// A connection, and its demand for the router; `nil` without a fast path.
    struct Value: ServerChildChannelValue {
        let http: HTTP1Channel.Value
        let demand: RouterDemand?

        var channel: any Channel { http.channel }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.syncOptions?.setOption(.recvAllocator, value: SmallReceiveBuffer())
            try channel.pipeline.syncOperations.addHandlers(security.handlers())
        }.flatMap {
            http.setup(channel: channel, logger: logger)
        }.flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let memory = try pipeline.handler(type: ConnectionLimitHandler.self).memory
            // The codec above drops the version of a request.
            try pipeline.addHandler(RequestNormalizer(authority: authority), position: .after(decoder))
            try pipeline.addHandler(ReceivedBytesHandler(in: memory), position: .before(decoder))
            guard let fastPath = try? pipeline.handler(type: FastPathHandler.self) else {
                return Value(http: value, demand: nil)
            }
            let demand = RouterDemand()
            try pipeline.addHandler(RouterDemand.Handler(demand), position: .after(fastPath))
            return Value(http: value, demand: demand)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await value.demand?.arises()
        guard answersOnEventLoop else { return await http.handle(value: value.http, logger: logger) }
        await value.channel.eventLoop.runningTasks {
            await http.handle(value: value.http, logger: logger)
        }
    }
}

/// Counts the bytes of a connection before they are parsed, those of a head that never ends included.
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
