import CountersignServer
import Foundation
import KeptDatabases
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import TestShell
import Testing

@Suite("A server that starts")
struct StartingServerTests {
    @Test func `answers the first connection that its port accepts`() async throws {
        try await DatabaseFixture.with(.sqlite) { fixture in
            for start in 0..<8 {
                let reserved = try ReservedPort(at: SocketAddress(ipAddress: "127.0.0.1", port: 0))
                let address = "127.0.0.1:\(reserved.number)"
                let server = try LoggedProgram(
                    "/bin/sh",
                    ["-c", "exec \(BuiltPrograms.command.path) serve --listen \(address) \(fixture.flags)"],
                    printingTo: fixture.directory.appendingPathComponent("start-\(start)")
                )
                let answer = NIOLockedValueBox("")
                var accepted: (any Channel)?
                while accepted == nil, server.isRunning {
                    accepted = try? await connect(to: reserved.number, noting: answer)
                }
                let channel = try #require(accepted, "\(server.printed)")
                let request = "GET /jwks HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r\n\r\n"
                try await channel.writeAndFlush(ByteBuffer(string: request))
                try await channel.closeFuture.get()
                #expect(answer.withLockedValue { $0 }.hasPrefix("HTTP/1.1 200"))
                server.signal(SIGTERM)
                #expect(try await server.ended().status == 0)
            }
        }
    }

    private func connect(to port: Int, noting answer: NIOLockedValueBox<String>) async throws -> any Channel {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(Collecting(into: answer))
            }
        }.connect(host: "127.0.0.1", port: port).get()
    }
}

/// Notes all that a connection receives.
private final class Collecting: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let answer: NIOLockedValueBox<String>

    init(into answer: NIOLockedValueBox<String>) {
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let text = String(buffer: unwrapInboundIn(data))
        answer.withLockedValue { $0 += text }
    }
}
