import Countersign
@testable import CountersignNearby
import CountersignTesting
import NIOCore
import NIOPosix
import Testing

@Suite("A socket that listens for screens", .timeLimit(.minutes(10)))
struct ListeningSocketTests {
    private struct Failure: Error {}

    /// A socket at a port of its own, and both ends of one connection to it.
    private func connected() async throws -> (socket: ListeningSocket, ends: [any Channel]) {
        let socket = try await ListeningSocket.bind(to: ["127.0.0.1"], port: 0)
        let client = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: Int(socket.port)).get()
        var connections = socket.connections.makeAsyncIterator()
        return (socket, [client, try #require(await connections.next())])
    }

    /// Closes connections; the other end of one may have been closed by it already.
    private func close(_ ends: [any Channel]) async {
        for end in ends { try? await end.close() }
    }

    /// The option that needs a privilege has the number, at the level of sockets, that TCP_NODELAY has at the level of
    /// TCP.
    @Test func `sends small frames at once, and asks for no privilege`() async throws {
        let (socket, ends) = try await connected()
        // A socket of its own, since a slow connection is tried twice.
        let other = try await ListeningSocket.bind(to: ["127.0.0.1"], port: 0)
        let outgoing = try #require(
            await Connector(clock: .system, timeout: .seconds(3600))
                .connect(to: [NearbyEndpoint(host: "127.0.0.1", port: other.port)])
        ).channel
        for end in [outgoing, ends[1]] {
            #expect(try await end.getOption(.tcpOption(.tcp_nodelay)).get() != 0)
            #expect(try await end.getOption(.socketOption(.tcp_nodelay)).get() == 0)
        }
        await close(ends + [outgoing])
        socket.close()
        other.close()
    }

    @Test func `goes on when a connection cannot be accepted`() async throws {
        let (socket, ends) = try await connected()
        let pipeline = socket.channel.pipeline
        for _ in 0..<3 { pipeline.fireErrorCaught(Failure()) }
        let later = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: Int(socket.port)).get()
        var connections = socket.connections.makeAsyncIterator()
        let accepted = try #require(await connections.next())
        await close(ends + [later, accepted])
        socket.close()
        #expect(await connections.next() == nil, "and ends when it is closed")
    }

    /// A phone that somebody connects to and hangs up on at once, many times.
    @Test func `serves a screen after a hundred that have hung up`() async throws {
        try await LoopbackFixture.with { fixture in
            for _ in 0..<100 {
                let socket = try await BareSocket.connect(to: fixture.port)
                await socket.close()
            }
            _ = try #require(await fixture.signIn().granted)
        }
    }
}
