import Countersign
import CountersignServer
import CountersignWire
import Foundation
import NIOCore
import Testing

/// Clients that send nothing wrong, but too slowly, too much or too often.
@Suite("A connection", .timeLimit(.minutes(10)))
struct HostileConnectionTests {
    /// The bytes that an idle connection counts for.
    private static let connection = 24_576

    @Test(arguments: [
        "", "G", "GET /jwks HTTP/1.1\r\n", "GET /jwks HTTP/1.1\r\nHost: x\r\nX: ",
        "POST /token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 50\r\n\r\n",
        "POST /token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 50\r\n\r\nclient",
        "POST /login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n",
        "GET /jwks HTTP/1.1\r\nHost: x\r\n\r\nPOST /jwks HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
    ])
    func `on which nothing more comes is closed`(beginning: String) async throws {
        try await JourneyServer.with(configuring: { $0.connections = .impatient }) { server in
            let heard = try await RawConnection.exchange(Array(beginning.utf8), with: server.port, untilClosed: true)
            #expect(heard.isClosed)
            #expect(heard.answers.allSatisfy { $0.status < 500 })
        }
    }

    @Test(arguments: [
        "GET /jwks HTTP/1.1\r\nHost: x\r\nX: ",
        "POST /token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\n",
        "POST /jwks HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n",
        "POST /token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5;",
    ])
    func `on which byte after byte comes for ever is closed`(beginning: String) async throws {
        try await JourneyServer.with(configuring: { $0.connections = .impatient }) { server in
            let isClosed = try await RawConnection.with(server.port) { conversation in
                await conversation.send(beginning)
                let drip = Task {
                    while !Task.isCancelled {
                        await conversation.send("a")
                        try await Task.sleep(for: .milliseconds(20))
                    }
                }
                defer { drip.cancel() }
                return await conversation.listen { _ in false }.isClosed
            }
            #expect(isClosed)
        }
    }

    @Test func `on which a body never ends is closed`() async throws {
        try await JourneyServer.with { server in
            for path in ["/token", "/jwks", "/login", "/nowhere"] {
                let isClosed = try await RawConnection.with(server.port) { conversation in
                    await conversation.send(
                        "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                            + "Content-Length: 99999999999\r\n\r\n"
                    )
                    let flood = Task {
                        let some = [UInt8](repeating: UInt8(ascii: "a"), count: 65_536)
                        while !Task.isCancelled, conversation.channel.isActive { await conversation.send(some) }
                    }
                    defer { flood.cancel() }
                    return await conversation.listen { _ in false }.isClosed
                }
                #expect(isClosed, "\(path)")
            }
        }
    }

    @Test func `tells why a form was too long, and that it ends with that`() async throws {
        try await JourneyServer.with { server in
            let body = "client_id=tv&x=\(repeated("a", 300_000))"
            let request =
                "POST /token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            let heard = try await RawConnection.with(server.port) { conversation in
                // The last byte stays back until the answer is here, so that it is one that comes early.
                let (answers, answered) = AsyncStream<Void>.makeStream()
                async let sending: Void = {
                    await conversation.send(String(request.dropLast()))
                    for await _ in answers {}
                    await conversation.send("a")
                }()
                let heard = await conversation.listen { heard in
                    if !heard.answers.isEmpty { answered.finish() }
                    return false
                }
                answered.finish()
                await sending
                return heard
            }
            #expect(heard.isClosed)
            #expect(heard.answers.count == 1)
            #expect(heard.answers.first?.status == 413)
            #expect(heard.answers.first?["Connection"] == "close")
            #expect(heard.answers.first?.body.contains("too long") == true)
        }
    }

    @Test(arguments: ["close", "Close", "CLOSE", "keep-alive, close", "TE , close"])
    func `ends when the client asks for it`(option: String) async throws {
        try await JourneyServer.with { server in
            let request = "GET /jwks HTTP/1.1\r\nHost: x\r\nConnection: \(option)\r\n\r\n"
            let heard = try await RawConnection.exchange(Array(request.utf8), with: server.port, untilClosed: true)
            #expect(heard.isClosed)
            #expect(heard.answers.map(\.status) == [200])
            #expect(heard.answers.first?["Connection"] == "close")
        }
    }

    @Test func `carries many requests that are sent at once, and answers them in their order`() async throws {
        try await JourneyServer.with { server in
            let kinds = [("GET /jwks", 200), ("GET /nowhere", 404), ("PUT /token", 405), ("GET /userinfo", 401)]
            let many = (0..<400).map { kinds[$0 % kinds.count] }
            let requests = many.map { "\($0.0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined()
            let statuses = try await RawConnection.with(server.port) { conversation in
                async let sending: Void = conversation.send(requests)
                let heard = await conversation.listen { $0.answers.count == 400 }
                await sending
                return heard.answers.map(\.status)
            }
            #expect(statuses == many.map(\.1))
        }
    }

    @Test func `whose client asks and asks and never reads is closed`() async throws {
        try await JourneyServer.with(configuring: { $0.connections = .impatient }) { server in
            try await RawConnection.with(server.port) { conversation in
                try await conversation.channel.setOption(.autoRead, value: false).get()
                let request = ByteBuffer(string: repeated("GET /login HTTP/1.1\r\nHost: x\r\n\r\n", 200))
                while conversation.channel.isActive {
                    // It ends when the server closes: nothing else lets a write fail.
                    do { try await conversation.channel.writeAndFlush(request) } catch { break }
                }
            }
        }
    }

    @Test func `that says nothing gives way to one that does`() async throws {
        let limits = ConnectionLimits(room: 50 * Self.connection)
        try await JourneyServer.with(configuring: { $0.connections = limits }) { server in
            try await IdleConnections.with(500, at: server.port) { crowd in
                let screen = JourneyScreen(at: server.issuer)
                for _ in 0..<5 { _ = try await screen.ask() }
                #expect(crowd.present <= 50)
            }
        }
    }

    @Test func `that is being answered gives way to nobody`() async throws {
        let limits = ConnectionLimits(room: 20 * Self.connection)
        try await JourneyServer.with(configuring: { $0.connections = limits }) { server in
            let codes = try await JourneyScreen(at: server.issuer).ask()
            let form =
                "client_id=tv&grant_type=\(GrantType.deviceCode)"
                + "&device_code=\(codes.deviceCode.revealed)"
            let held =
                "POST /token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Prefer: wait=50\r\nContent-Length: \(form.utf8.count)\r\n\r\n\(form)"
            let answer = try await RawConnection.with(server.port) { conversation in
                await conversation.send(held)
                try await IdleConnections.with(300, at: server.port) { _ in
                    let visitor = JourneyVisitor(at: server.issuer)
                    try await visitor.signIn(as: .anna)
                    try await visitor.decide(.approve, on: codes.userCode)
                }
                return await conversation.listen { !$0.answers.isEmpty }.answers.first
            }
            #expect(answer?.status == 200)
            #expect(answer?.body.contains("access_token") == true)
        }
    }

    @Test func `of thousands that say nothing leaves room for others`() async throws {
        try await JourneyServer.with { server in
            let before = try Memory.resident()
            try await IdleConnections.with(3_000, at: server.port) { crowd in
                let screen = JourneyScreen(at: server.issuer)
                for _ in 0..<10 { _ = try await screen.ask() }
                #expect(crowd.present == 3_000)
                // Both ends of each are in this process.
                #expect(try Memory.resident() - before < 300 << 20)
            }
        }
    }
}
