import CountersignServer
import Foundation
import NIOCore
import Testing

/// Standard: RFC 9110 §10.1.1; RFC 9112 §3.2, §9.3.
@Suite("A client on a bare connection", .timeLimit(.minutes(10)))
struct HTTPConductTests {
    private static let form = "Content-Type: application/x-www-form-urlencoded\r\n"
    private static let body = "client_id=\(JourneyParties.tv)"

    // MARK: Expectations

    @Test(arguments: [
        ("/device_authorization", 200, "100-continue"), ("/token", 400, "100-Continue"),
    ])
    func `is told to continue when its body will be read, and not before`(
        path: String,
        status: Int,
        expectation: String
    ) async throws {
        try await JourneyServer.with { server in
            let statuses = try await RawConnection.with(server.port) { conversation in
                await conversation.send(
                    "POST \(path) HTTP/1.1\r\nHost: x\r\n\(Self.form)Content-Length: \(Self.body.utf8.count)\r\n"
                        + "Expect: \(expectation)\r\n\r\n"
                )
                var isSent = false
                let heard = await conversation.listen { heard in
                    if heard.answers.last?.status == 100, !isSent {
                        isSent = true
                        Task { await conversation.send(Self.body) }
                    }
                    return heard.answers.last.map { $0.status >= 200 } ?? false
                }
                return heard.answers.map(\.status)
            }
            #expect(statuses == [100, status])
        }
    }

    @Test(arguments: [
        ("POST /jwks", 12, 405), ("POST /nowhere", 12, 404), ("POST /approver/look", 12, 401),
        ("POST /token", 100_000, 413),
    ])
    func `hears a final answer alone when its body is not wanted`(
        line: String,
        length: Int,
        status: Int
    ) async throws {
        try await JourneyServer.with { server in
            let request =
                "\(line) HTTP/1.1\r\nHost: x\r\n\(Self.form)Content-Length: \(length)\r\nExpect: 100-continue\r\n\r\n"
            let heard = try await RawConnection.exchange(Array(request.utf8), with: server.port)
            #expect(heard.answers.map(\.status) == [status])
            #expect(heard.answers.first?["Connection"] == "close")
        }
    }

    @Test func `is told that another expectation is not known`() async throws {
        try await JourneyServer.with { server in
            let request = "GET /jwks HTTP/1.1\r\nHost: x\r\nExpect: a-cookie\r\n\r\n"
            let heard = try await RawConnection.exchange(Array(request.utf8), with: server.port)
            #expect(heard.answers.map(\.status) == [417])
        }
    }

    // MARK: HTTP/1.0

    @Test(arguments: ["/jwks", "/health/live", "/login", "/nowhere"])
    func `finds its connection closed after an answer to HTTP 1.0`(path: String) async throws {
        try await JourneyServer.with { server in
            for host in ["", "Host: x\r\n"] {
                let request = "GET \(path) HTTP/1.0\r\n\(host)\r\n"
                let heard = try await RawConnection.exchange(Array(request.utf8), with: server.port, untilClosed: true)
                #expect(heard.isClosed && heard.rest.isEmpty)
                #expect(heard.answers.count == 1)
                #expect(heard.answers.first?["Connection"] == "close")
                #expect(heard.answers.first?["Transfer-Encoding"] == nil)
                #expect(heard.answers.first?.status != 400)
            }
        }
    }

    @Test(arguments: ["websocket", "h2c"])
    func `finds its connection closed after it asked for another protocol`(name: String) async throws {
        try await JourneyServer.with { server in
            let request = "GET /jwks HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: \(name)\r\n\r\n"
            let heard = try await RawConnection.exchange(Array(request.utf8), with: server.port)
            #expect(heard.answers.map(\.status) == [200])
            #expect(heard.answers.first?["Connection"] == "close")
        }
    }

    @Test func `keeps its connection by HTTP 1.0 where it asks for that`() async throws {
        try await JourneyServer.with { server in
            let kept = "GET /jwks HTTP/1.0\r\nHost: x\r\nConnection: Keep-Alive\r\n\r\n"
            let last = "GET /jwks HTTP/1.0\r\nHost: x\r\n\r\n"
            let heard = try await RawConnection.exchange(
                Array((kept + kept + last).utf8),
                with: server.port,
                untilClosed: true
            )
            #expect(heard.answers.map(\.status) == [200, 200, 200])
            #expect(heard.answers.map { $0["Connection"] } == ["keep-alive", "keep-alive", "close"])
            #expect(heard.isClosed)
        }
    }

    @Test func `is not asked to continue by HTTP 1.0`() async throws {
        try await JourneyServer.with { server in
            let request =
                "POST /device_authorization HTTP/1.0\r\nHost: x\r\n\(Self.form)Content-Length: \(Self.body.utf8.count)\r\n"
                + "Expect: 100-continue\r\n\r\n\(Self.body)"
            let heard = try await RawConnection.exchange(Array(request.utf8), with: server.port, untilClosed: true)
            #expect(heard.answers.map(\.status) == [200])
        }
    }

    // MARK: Host

    @Test(arguments: [
        "", "Host:\r\n", "Host: a b\r\n", "Host: x:port\r\n", "Host: user@x\r\n", "Host: http://x\r\n",
        "Host: [::1\r\n",
        "Host: x\r\nHost: x\r\n", "Host: x\r\nHost: y\r\n", "Host: x,y/z\r\n",
    ])
    func `is refused without one host that is well-formed`(fields: String) async throws {
        try await JourneyServer.with { server in
            for path in ["/jwks", "/.well-known/openid-configuration", "/login", "/health/ready", "/nowhere"] {
                // The first request lets the server know everything that its quick answers need.
                let requests = "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\nGET \(path) HTTP/1.1\r\n\(fields)\r\n"
                let heard = try await RawConnection.with(server.port) { conversation in
                    await conversation.send(requests)
                    return await conversation.listen { $0.answers.count == 2 }
                }
                #expect(heard.answers.last?.status == 400, "\(path)")
                #expect(heard.answers.first?.status != 400, "\(path)")
            }
        }
    }

    /// Pages are answered under the server's own name alone.
    @Test func `is answered for the host of an absolute target, whatever Host says`() async throws {
        try await JourneyServer.with { server in
            let own = "127.0.0.1:\(server.port)"
            for (target, host, status) in [
                ("http://\(own)/login", "elsewhere.example", 200), ("HTTP://\(own)/login?a=b", own, 200),
                ("http://\(own)", own, 303), ("http://\(own)/jwks", "elsewhere.example", 200),
                ("http://elsewhere.example/login", own, 421), ("http://\(own)/nowhere", own, 404),
                ("http://user@\(own)/jwks", own, 400), ("http:///jwks", own, 400),
                ("http://\(own)/jwks", "x y", 400),
            ] {
                let request = "GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n"
                let heard = try await RawConnection.exchange(Array(request.utf8), with: server.port)
                #expect(heard.answers.map(\.status) == [status], "\(target) with Host: \(host)")
            }
        }
    }

    @Test func `may have a head of almost 32 KiB, and a hundred header fields`() async throws {
        try await JourneyServer.with { server in
            let fields = String(repeating: "X-Some: \(String(repeating: "y", count: 300))\r\n", count: 99)
            let request = "GET /jwks HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
            let heard = try await RawConnection.exchange(Array(request.utf8), with: server.port)
            #expect(heard.answers.map(\.status) == [200])
        }
    }

    // MARK: What is no request

    /// Standard: RFC 9110 §15.5.1; RFC 6585 §5.
    @Test(arguments: [
        ("FOO /jwks HTTP/1.1\r\nHost: x\r\n\r\n", 400, "the method is unknown, or this is no request by HTTP/1.1"),
        ("\u{16}\u{3}\u{1}\r\n\r\n", 400, "the method is unknown, or this is no request by HTTP/1.1"),
        ("GET /jwks HTTP/7.0\r\nHost: x\r\n\r\n", 400, "this server speaks HTTP/1.1 and HTTP/1.0"),
        ("GET /jwks HTTP/1.1\r\nHost : x\r\n\r\n", 400, "the request is malformed"),
        (
            "GET /jwks HTTP/1.1\r\nHost: x\r\nX-Long: \(String(repeating: "x", count: 100_000))\r\n\r\n", 431,
            "the request line or the header fields are too long"
        ),
        (
            "GET /\(String(repeating: "x", count: 16_500)) HTTP/1.1\r\nHost: x\r\n"
                + "X-Long: \(String(repeating: "x", count: 16_500))\r\n\r\n", 431,
            "the request line or the header fields are too long"
        ),
        (
            "GET /jwks HTTP/1.1\r\nHost: x\r\n\(String(repeating: "X: y\r\n", count: 100))\r\n", 431,
            "the request line or the header fields are too long"
        ),
    ])
    func `is told why what it sent is no request, after the answers to those before`(
        bytes: String,
        status: Int,
        text: String
    ) async throws {
        try await JourneyServer.with { server in
            for earlier in 0...2 {
                let request = String(repeating: "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n", count: earlier) + bytes
                let heard = try await RawConnection.exchange(Array(request.utf8), with: server.port, untilClosed: true)
                #expect(heard.answers.map(\.status) == Array(repeating: 200, count: earlier) + [status])
                #expect(
                    heard.answers.last?.body == #"{"error":"invalid_request","error_description":"\#(text)"}"#)
                #expect(heard.answers.last?["Content-Type"] == "application/json")
                #expect(heard.answers.last?["Connection"] == "close")
                #expect(heard.isClosed)
            }
        }
    }

    // MARK: Targets

    @Test(arguments: [
        ("GET ftp://127.0.0.1/jwks", 400), ("GET ws://127.0.0.1/jwks", 400), ("GET *", 400), ("POST *", 400),
        ("GET //jwks", 404), ("GET //metrics", 404), ("GET //health/live", 404), ("GET /cpa//verify", 404),
        ("GET /jwks", 200), ("GET /jwks?x=//", 200), ("GET /jwks/", 200),
    ])
    func `is answered for a path as it is written, and for no other kind of target`(
        line: String,
        status: Int
    ) async throws {
        try await JourneyServer.with { server in
            let request = "\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
            let heard = try await RawConnection.exchange(Array(request.utf8), with: server.port)
            #expect(heard.answers.first?.status == status)
        }
    }

    /// Standard: RFC 9110 §9.3.7.
    @Test func `is told the methods of the server as a whole`() async throws {
        try await JourneyServer.with { server in
            let request = "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n"
            let heard = try await RawConnection.exchange(Array((request + request).utf8), with: server.port)
            #expect(heard.answers.first?.status == 204)
            #expect(heard.answers.first?["Allow"] == "DELETE, GET, HEAD, OPTIONS, POST, PUT")
            #expect(heard.answers.first?.body == "")
        }
    }
}
