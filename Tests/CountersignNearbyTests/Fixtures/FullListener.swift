@testable import CountersignNearby
import NIOCore
import NIOPosix
import Testing

/// A listener that accepts nobody, and whose queue is full: the system drops what asks for more.
struct FullListener: Sendable {
    let channel: any Channel
    let port: UInt16
    /// Those that fill the queue.
    private let others: [any Channel]

    var endpoint: NearbyEndpoint { NearbyEndpoint(host: "127.0.0.1", port: port) }

    static func listen() async throws -> FullListener {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 0)
            .serverChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(channel.localAddress?.port)
        var others: [any Channel] = []
        let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(.milliseconds(300))
        while let other = try? await bootstrap.connect(host: "127.0.0.1", port: port).get() { others.append(other) }
        return FullListener(channel: channel, port: UInt16(port), others: others)
    }

    func close() async {
        for channel in [channel] + others { try? await channel.close() }
    }
}
