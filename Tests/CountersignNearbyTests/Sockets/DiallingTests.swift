import Countersign
import CountersignNearby
import NIOCore
import NIOPosix
import Testing

@Suite("Dialling", .timeLimit(.minutes(10)))
struct DiallingTests {
    /// Nobody is ever waited for that long.
    private let dialling = Dialling(clock: .system, timeout: .seconds(3600))

    private func endpoint(_ channel: any Channel) throws -> NearbyEndpoint {
        NearbyEndpoint(host: "127.0.0.1", port: UInt16(try #require(channel.localAddress?.port)))
    }

    private func listener(backlog: Int32 = 8, accepts: Bool = true) async throws -> any Channel {
        try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelOption(.autoRead, value: accepts)
            .bind(host: "127.0.0.1", port: 0).get()
    }

    /// A listener that takes nobody, and whose line is full: the system drops what asks for more.
    private func silent() async throws -> (listener: any Channel, others: [any Channel]) {
        let full = try await listener(backlog: 0, accepts: false)
        let port = Int(try endpoint(full).port)
        var others: [any Channel] = []
        let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(.milliseconds(300))
        while let other = try? await bootstrap.connect(host: "127.0.0.1", port: port).get() { others.append(other) }
        return (full, others)
    }

    private func close(_ channels: [any Channel]) async {
        for channel in channels { try? await channel.close() }
    }

    @Test func `takes the first that answers, and waits for no other`() async throws {
        let (full, others) = try await silent()
        let open = try await listener()
        let made = await dialling.connect(to: [try endpoint(full), try endpoint(open)])
        let channel = try #require(made)
        #expect(channel.remoteAddress?.port == open.localAddress?.port)
        await close([channel, open, full] + others)
    }

    @Test func `tries an address again that has not answered`() async throws {
        let (full, others) = try await silent()
        let place = try endpoint(full)
        async let made = dialling.connect(to: [place])
        // As soon as it takes those who wait, there is room for the next try.
        try await full.setOption(.autoRead, value: true).get()
        full.read()
        let channel = try #require(await made)
        await close([channel, full] + others)
    }

    @Test func `ends when all addresses refuse`() async throws {
        // No program listens on the first port of all; one that was just left, another test may get.
        let place = NearbyEndpoint(host: "127.0.0.1", port: 1)
        let made = await dialling.connect(to: [place, place])
        #expect(made == nil)
    }

    @Test func `ends when time is over`() async throws {
        let (full, others) = try await silent()
        let hasty = Dialling(clock: .system, timeout: .milliseconds(600))
        let made = await hasty.connect(to: [try endpoint(full)])
        #expect(made == nil)
        await close([full] + others)
    }
}
