import AsyncHTTPClient
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix

/// Sends each request to the next node that says it is ready, over connections that stay open, and never twice.
final class LoadBalancer: Sendable {
    /// The base of its addresses.
    let base: String

    private struct Node {
        let base: String
        var isReady = false
        /// The number of requests that it has not answered.
        var open = 0
    }

    private let nodes: NIOLockedValueBox<[Node]>
    private let turn = NIOLockedValueBox(0)
    private let listener: any Channel
    private let probing: Task<Void, Never>

    private init(_ listener: any Channel, _ nodes: NIOLockedValueBox<[Node]>) {
        self.listener = listener
        self.nodes = nodes
        base = "http://127.0.0.1:\(listener.localAddress?.port ?? 0)"
        probing = Task {
            while !Task.isCancelled {
                for base in nodes.withLockedValue({ $0.map(\.base) }) {
                    let isReady = await Self.isReady(base)
                    nodes.withLockedValue { nodes in
                        for index in nodes.indices where nodes[index].base == base { nodes[index].isReady = isReady }
                    }
                }
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// Runs `body` with one before some nodes, once they are ready.
    static func with(_ bases: [String], _ body: (LoadBalancer) async throws -> Void) async throws {
        let nodes = NIOLockedValueBox(bases.map { Node(base: $0) })
        let front = NIOLockedValueBox<LoadBalancer?>(nil)
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(
                        ForwardingHandler { await front.withLockedValue { $0 }?.forward($0) ?? .failure })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let balancer = LoadBalancer(listener, nodes)
        front.withLockedValue { $0 = balancer }
        defer { front.withLockedValue { $0 = nil } }
        do {
            for base in bases { try await balancer.awaitNode(base) { $0.isReady } }
            try await body(balancer)
        } catch {
            await balancer.stop()
            throw error
        }
        await balancer.stop()
    }

    private func stop() async {
        probing.cancel()
        await probing.value
        try? await listener.close()
    }

    /// Puts another node beside the others, and returns when it gets requests.
    func add(_ base: String) async throws {
        nodes.withLockedValue { $0.append(Node(base: base)) }
        try await awaitNode(base) { $0.isReady }
    }

    /// Returns when a node has said that it is not ready, and has answered all; then forgets it.
    func leave(_ base: String) async throws {
        try await awaitNode(base) { !$0.isReady && $0.open == 0 }
        nodes.withLockedValue { $0.removeAll { $0.base == base } }
    }

    private struct NeverSeen: Error {}

    private func awaitNode(_ base: String, _ condition: (Node) -> Bool) async throws {
        for _ in 0..<12_000 {
            if nodes.withLockedValue({ nodes in nodes.contains { $0.base == base && condition($0) } }) { return }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw NeverSeen()
    }

    // MARK: Requests

    /// A request to pass on.
    struct Forwarded: Sendable {
        let head: HTTPRequestHead
        let body: ByteBuffer
    }

    /// What comes back.
    struct Returned: Sendable {
        let status: HTTPResponseStatus
        var body = ByteBuffer()

        static let failure = Returned(status: .badGateway)
    }

    private func forward(_ request: Forwarded) async -> Returned {
        guard let base = take() else { return Returned(status: .serviceUnavailable) }
        defer {
            nodes.withLockedValue { nodes in
                for index in nodes.indices where nodes[index].base == base { nodes[index].open -= 1 }
            }
        }
        var onward = HTTPClientRequest(url: base + request.head.uri)
        onward.method = request.head.method
        for name in ["content-type", "prefer"] {
            if let value = request.head.headers.first(name: name) { onward.headers.add(name: name, value: value) }
        }
        onward.body = .bytes(request.body)
        do {
            let answer = try await Self.client.execute(onward, timeout: .seconds(120))
            return Returned(status: answer.status, body: try await answer.body.collect(upTo: 1 << 20))
        } catch {
            return Returned(status: .badGateway, body: ByteBuffer(string: "\(base): \(error)"))
        }
    }

    /// The next node that is ready, with one more open request.
    private func take() -> String? {
        let number = turn.withLockedValue { turn in
            turn += 1
            return turn
        }
        return nodes.withLockedValue { nodes in
            let ready = nodes.indices.filter { nodes[$0].isReady }
            guard !ready.isEmpty else { return nil }
            let index = ready[number % ready.count]
            nodes[index].open += 1
            return nodes[index].base
        }
    }

    private static func isReady(_ base: String) async -> Bool {
        let answer = try? await client.execute(
            HTTPClientRequest(url: base + "/health/ready"), timeout: .seconds(120))
        guard let answer, (try? await answer.body.collect(upTo: 1 << 20)) != nil else { return false }
        return answer.status == .ok
    }

    /// Repeats nothing by itself.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}

/// Reads the requests of one connection, one after another, and writes what comes back.
private final class ForwardingHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let forward: @Sendable (LoadBalancer.Forwarded) async -> LoadBalancer.Returned
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()

    init(_ forward: @escaping @Sendable (LoadBalancer.Forwarded) async -> LoadBalancer.Returned) {
        self.forward = forward
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = ByteBuffer()
        case .body(var bytes): body.writeBuffer(&bytes)
        case .end:
            guard let head else { return }
            let (request, loop) = (LoadBalancer.Forwarded(head: head, body: body), context.eventLoop)
            let bound = NIOLoopBound((self, context), eventLoop: loop)
            Task { [forward] in
                let returned = await forward(request)
                loop.execute {
                    let (handler, context) = bound.value
                    handler.answer(returned, context)
                }
            }
        }
    }

    private func answer(_ returned: LoadBalancer.Returned, _ context: ChannelHandlerContext) {
        let headers: HTTPHeaders = ["content-length": "\(returned.body.readableBytes)"]
        let head = HTTPResponseHead(version: .http1_1, status: returned.status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(returned.body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
