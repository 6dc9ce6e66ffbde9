import Countersign
import CountersignServer
import CountersignWire
import Foundation
import KeptDatabases
import Glibc
import NIOCore
import NIOPosix
import TestShell
import Testing

/// Many connections of one network that take as much memory as they can.
@Suite("A server with little memory", .timeLimit(.minutes(10)))
struct CrowdedServerTests {
    /// The burden of a connection of the crowd on memory.
    enum Burden: String, CaseIterable, Sendable {
        case nothing, head, body, heldPoll
    }

    private static let crowd = 1_200
    /// The bytes of resident memory that the crowd adds at most. Without a bound it would add more with most burdens.
    ///
    /// Under the Thread Sanitizer each byte has several of its own.
    private static let most = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] == nil ? 96 << 20 : 768 << 20

    @Test(arguments: Burden.allCases)
    func `answers a newcomer while one network has all connections`(burden: Burden) async throws {
        try await DatabaseFixture.with(.sqlite) { fixture in
            let requests = try await Self.requests(burden, fixture)
            let server = try await ServerProcess.start(on: fixture, flags: "--memory 160M \(LimitRule.allOff)")
            let before = try server.resident
            let crowd = Crowd(of: server)
            for batch in 0..<12 {
                for number in batch * Self.crowd / 12..<(batch + 1) * Self.crowd / 12 {
                    try await crowd.join(sending: requests[number % requests.count])
                }
                #expect(try await Newcomer.status(at: server, from: "127.0.0.2") == 200)
                #expect(try server.resident - before < Self.most)
            }
            // Those that gave way are gone, and the others are still there.
            #expect(crowd.present > 0)
            await crowd.leave()
            #expect(try await Newcomer.status(at: server, from: "127.0.0.1") == 200)
            #expect(try await server.stop() == 0)
        }
    }

    /// The requests that the connections of the crowd send, one after another.
    private static func requests(_ burden: Burden, _ fixture: DatabaseFixture) async throws -> [String] {
        let start = "POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        switch burden {
        case .nothing:
            return [""]
        case .head:
            return [start + "X-Long: " + String(repeating: "x", count: 31_000)]
        case .body:
            return [start + "Content-Length: 65000\r\n\r\nclient_id=" + String(repeating: "x", count: 60_000)]
        case .heldPoll:
            let opened = (0..<crowd).map { _ in fixture.open() }
            try await fixture.store.change { repositories in
                for (_, exchange) in opened { try repositories.exchanges.insert(exchange) }
            }
            return opened.map { code, _ in
                let form = fixture.redemption(of: code).encoded
                return start + "Prefer: wait=55\r\nContent-Length: \(form.utf8.count)\r\n\r\n" + form
            }
        }
    }
}

/// The connections of one network.
private final class Crowd {
    private let port: Int
    private var channels: [any Channel] = []

    init(of server: ServerProcess) {
        port = server.port
        Self.allowMoreFiles()
    }

    /// The count of connections that the server has not closed.
    var present: Int { channels.count(where: \.isActive) }

    /// Opens one more connection and sends something; the server may close it at any time.
    func join(sending request: String) async throws {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port).get()
        channels.append(channel)
        if !request.isEmpty { try? await channel.writeAndFlush(ByteBuffer(string: request)) }
    }

    func leave() async {
        for channel in channels { try? await channel.close() }
        channels = []
    }

    /// Lets this process have as many files as the system allows it.
    private static func allowMoreFiles() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

/// A client of another network, with one request.
private enum Newcomer {
    /// The status of its answer; `nil` when the server closed the connection without one.
    static func status(at server: ServerProcess, from address: String) async throws -> Int? {
        let request = "GET /jwks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(to: SocketAddress(ipAddress: address, port: 0))
            .connect(host: "127.0.0.1", port: server.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            var text = ""
            for try await bytes in inbound { text += String(buffer: bytes) }
            return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        }
    }
}
