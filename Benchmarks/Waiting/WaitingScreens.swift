internal import Foundation
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix

/// Many screens that hold a token request open, each on a connection of its own.
final class WaitingScreens: Sendable {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let channels = NIOLockedValueBox<[any Channel]>([])
    private let answers = NIOLockedValueBox<[String: (at: ContinuousClock.Instant, text: String)]>([:])
    private let port: Int

    init(port: Int) {
        self.port = port
    }

    /// Connects and asks; returns when the requests are sent.
    func hold(_ codes: [String]) async throws {
        try await hold(codes, sending: pollThatWaits)
    }

    /// Sends a request for each code, on a connection of its own; returns when they are sent.
    func hold(_ codes: [String], sending request: @escaping @Sendable (String) -> String) async throws {
        for part in stride(from: 0, to: codes.count, by: 200).map({ codes[$0..<min($0 + 200, codes.count)] }) {
            try await withThrowingTaskGroup { tasks in
                for code in part { tasks.addTask { try await self.hold(code, sending: request(code)) } }
                try await tasks.waitForAll()
            }
        }
    }

    private func pollThatWaits(for code: String) -> String {
        let body = """
            client_id=screen&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=\(code)
            """
        let head = """
            POST /token HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nPrefer: wait=60\r\n\
            Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n\r\n
            """
        return head + body
    }

    /// Sends any request on a connection of its own; its answer is found by `code`.
    func hold(_ code: String, sending request: String) async throws {
        let channel = try await ClientBootstrap(group: group).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(
                    Listening { text in
                        let now = ContinuousClock.now
                        self.answers.withLockedValue { $0[code] = $0[code] ?? (now, text) }
                    }
                )
            }
        }.connect(host: "127.0.0.1", port: port).get()
        channels.withLockedValue { $0.append(channel) }
        try await channel.writeAndFlush(ByteBuffer(string: request))
    }

    /// The time and the text of the answer to a code, awaited up to `span`.
    func answer(to code: String, within span: Duration) async throws -> (at: ContinuousClock.Instant, text: String)? {
        let deadline = ContinuousClock.now + span
        while ContinuousClock.now < deadline {
            if let answer = answers.withLockedValue({ $0[code] }) { return answer }
            try await Task.sleep(for: .milliseconds(1))
        }
        return nil
    }

    /// All answers by now.
    var all: [(at: ContinuousClock.Instant, text: String)] { answers.withLockedValue { Array($0.values) } }

    /// The count of answers by now.
    var answered: Int { answers.withLockedValue { $0.count } }

    func leave() async throws {
        for channel in channels.withLockedValue({ $0 }) { channel.close(promise: nil) }
        try await group.shutdownGracefully()
    }
}

/// Reads the first piece of the answer, which in our case is all of it.
private final class Listening: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let heard: @Sendable (String) -> Void

    init(heard: @escaping @Sendable (String) -> Void) {
        self.heard = heard
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        heard(String(buffer: unwrapInboundIn(data)))
    }
}
