import Countersign
@testable import CountersignNearby
import NIOCore
import NIOPosix
import Testing

@Suite("Connecting", .timeLimit(.minutes(10)))
struct ConnectorTests {
    /// No test waits that long.
    private let connector = Connector(clock: .system, timeout: .seconds(3600))

    private func endpoint(_ channel: any Channel) throws -> NearbyEndpoint {
        NearbyEndpoint(host: "127.0.0.1", port: UInt16(try #require(channel.localAddress?.port)))
    }

    private func listener() async throws -> any Channel {
        try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 8)
            .bind(host: "127.0.0.1", port: 0).get()
    }

    private func close(_ channels: [any Channel]) async {
        for channel in channels { try? await channel.close() }
    }

    @Test func `takes the first that answers, and waits for no other`() async throws {
        let full = try await FullListener.listen()
        let open = try await listener()
        let made = try #require(await connector.connect(to: [full.endpoint, try endpoint(open)]))
        #expect(made.channel.remoteAddress?.port == open.localAddress?.port)
        // This is where the approver is looked for next time.
        #expect(made.endpoint == (try endpoint(open)))
        await close([made.channel, open])
        await full.close()
    }

    @Test func `tries an address again that has not answered`() async throws {
        let full = try await FullListener.listen()
        async let made = connector.connect(to: [full.endpoint])
        // As soon as it accepts the waiting connections, there is room for the next try.
        try await full.channel.setOption(.autoRead, value: true).get()
        full.channel.read()
        let channel = try #require(await made).channel
        await close([channel])
        await full.close()
    }

    #if os(Linux)
    @Test func `lets lost packets be repeated at even intervals`() async throws {
        let open = try await listener()
        let made = try #require(await connector.connect(to: [try endpoint(open)]))
        let speaking = try #require(await made.channel.speaking())
        try await speaking.executeThenClose { _, _ in
            let option = try await made.channel.getOption(.tcpOption(.thinLinearTimeouts)).get()
            #expect(option == 1)
        }
        await close([open])
    }
    #endif

    @Test func `ends when all addresses refuse`() async throws {
        // No program listens on the first port of all; one that was just left, another test may get.
        let place = NearbyEndpoint(host: "127.0.0.1", port: 1)
        let made = await connector.connect(to: [place, place])
        #expect(made == nil)
    }

    @Test func `ends when time is over`() async throws {
        let full = try await FullListener.listen()
        let hasty = Connector(clock: .system, timeout: .milliseconds(600))
        let made = await hasty.connect(to: [full.endpoint])
        #expect(made == nil)
        await full.close()
    }
}
