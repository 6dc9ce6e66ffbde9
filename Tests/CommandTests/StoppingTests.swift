import CommandFixture
import Foundation
import Testing

@Suite("A server that is told to stop")
struct StoppingTests {
    /// A request that has begun and goes on when the file `go` is there, spoken by a shell. Its media type leaves it to
    /// the router, which counts it from its head on; the fast path counts a request when it was read.
    private static func slowRequest(at port: Substring) -> String {
        """
        exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/\(port)
        printf "POST /device_authorization HTTP/1.1\\r\\nHost: 127.0.0.1:\(port)\\r\\n" >&3
        printf "Content-Type: application/x-www-form-urlencoded; charset=utf-8\\r\\nContent-Length: 12\\r\\n\\r\\nclient" >&3
        echo begun
        while [ ! -e go ]; do sleep 0.05; done
        printf "_id=tv" >&3; cat <&3'
        """
    }

    @Test func `answers what has begun, says meanwhile that it is not ready, and takes nothing new`() async throws {
        let server = try await RunningServer.start()
        let port = try #require(server.base.split(separator: ":").last)
        let slow = try server.command.start(Self.slowRequest(at: port))
        _ = try await slow.printed { $0.contains("begun") }
        #expect(try await server.ask("/health/ready").status == 200)
        let figures = try await server.ask("/metrics").body
        #expect(figures.contains("# TYPE countersign_requests_waiting gauge"))
        try await server.shows("countersign_http_requests_in_flight", 1)

        server.serving.signal(SIGTERM)
        _ = try await server.serving.printed { $0.contains("message=stopping") }
        var ready = try await server.ask("/health/ready")
        for _ in 0..<3000 where ready.status == 200 {
            try await Task.sleep(for: .milliseconds(20))
            ready = try await server.ask("/health/ready")
        }
        #expect(ready.status == 503 && ready.body.contains("stopping"))
        #expect(try await server.ask("/health/live").status == 200)
        let refused = try await server.command.run("exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/\(port)'")
        #expect(refused.status != 0)

        _ = try await server.command.run("touch go")
        let answered = try await slow.finish().output
        #expect(answered.contains("HTTP/1.1 200 OK") && answered.contains("\"device_code\""), "\(answered)")
        let outcome = try await server.serving.finish()
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains("message=stopped"))
    }

    @Test func `drains first if that is set: answers all, and ends each connection after an answer`() async throws {
        let server = try await RunningServer.start("--drain-time 600")
        let port = try #require(server.base.split(separator: ":").last)
        server.serving.signal(SIGTERM)
        _ = try await server.serving.printed { $0.contains("message=draining") }
        let ready = try await server.ask("/health/ready")
        #expect(ready.status == 503 && ready.body.contains("stopping"))
        // The connection is new, is not closed by its client, and ends by itself.
        let asked = try await server.command.run(
            """
            exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/\(port)
            printf "GET /jwks HTTP/1.1\\r\\nHost: 127.0.0.1:\(port)\\r\\n\\r\\n" >&3; cat <&3'
            """
        )
        #expect(asked.output.contains("HTTP/1.1 200 OK") && asked.output.contains("close"), "\(asked.output)")
        #expect(!server.serving.printed.contains("message=stopping"))

        // Until then it counts as a repetition of the first.
        try await Task.sleep(for: .seconds(3.1))
        server.serving.signal(SIGTERM)
        let outcome = try await server.serving.finish()
        #expect(outcome.status == 0 && outcome.output.contains("message=stopped"), "\(outcome.output)")
    }

    /// GNU `timeout` signals its program and then the group of both.
    @Test(arguments: [SIGTERM, SIGINT])
    func `answers what is held and what has begun when it is told twice in a row`(signal: Int32) async throws {
        let server = try await RunningServer.start()
        let port = try #require(server.base.split(separator: ":").last)
        let slow = try server.command.start(Self.slowRequest(at: port))
        _ = try await slow.printed { $0.contains("begun") }
        try await server.shows("countersign_http_requests_in_flight", 1)
        let code = try await server.deviceCode()
        async let held = RunningServer.poll(at: server.base, code)
        try await server.shows("countersign_requests_waiting", 1)
        server.serving.signal(signal)
        server.serving.signal(signal)
        _ = try await server.serving.printed { $0.contains("message=stopping") }
        server.serving.signal(signal)
        #expect(try await held.contains("authorization_pending"))
        _ = try await server.command.run("touch go")
        let answered = try await slow.finish().output
        #expect(answered.contains("HTTP/1.1 200 OK") && answered.contains("\"device_code\""), "\(answered)")
        let outcome = try await server.serving.finish()
        #expect(outcome.status == 0 && outcome.output.contains("message=stopped"), "\(outcome.output)")
    }

    @Test(arguments: [(SIGTERM, Int32(143)), (SIGINT, Int32(130))] as [(Int32, Int32)])
    func `ends at once when it is told again some seconds later`(signal: Int32, status: Int32) async throws {
        let server = try await RunningServer.start()
        let port = try #require(server.base.split(separator: ":").last)
        let slow = try server.command.start(Self.slowRequest(at: port))
        _ = try await slow.printed { $0.contains("begun") }
        try await server.shows("countersign_http_requests_in_flight", 1)
        server.serving.signal(signal)
        _ = try await server.serving.printed { $0.contains("message=stopping") }
        // Until then it counts as a repetition of the first.
        try await Task.sleep(for: .seconds(3.1))
        server.serving.signal(signal)
        let outcome = try await server.serving.finish()
        #expect(outcome.status == status)
        #expect(outcome.output.contains("stopped at once"))
        _ = try await server.command.run("touch go")
        _ = try await slow.finish()
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `ends with 0 although nothing could be written for the person who started it`(signal: Int32) async throws {
        let command = try CommandUnderTest()
        let serving = try command.start(
            "exec countersign serve --listen 127.0.0.1:0 --log-level info > /dev/full")
        _ = try await serving.printed { $0.contains("Server started and listening on") }
        serving.signal(signal)
        let outcome = try await serving.finish()
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains("message=stopped"))
        #expect(outcome.output.contains("Standard output cannot be written"))
    }

    @Test func `waits for no connection on which nothing is asked`() async throws {
        let server = try await RunningServer.start()
        let port = try #require(server.base.split(separator: ":").last)
        let idle = try server.command.start(
            "exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/\(port); echo open; cat <&3; echo closed'"
        )
        _ = try await idle.printed { $0.contains("open") }
        try await Task.sleep(for: .milliseconds(300))
        #expect(try await server.stop().status == 0)
        #expect(try await idle.finish().output.contains("closed"))
    }
}
