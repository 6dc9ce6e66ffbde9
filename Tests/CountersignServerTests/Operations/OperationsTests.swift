import CountersignTesting
import CountersignSQLite
import Hummingbird
import HummingbirdTesting
import HTTPTypes
import Logging
import NIOConcurrencyHelpers
import Testing

@testable import CountersignServer

@Suite("What a server tells those who run it", .server)
struct OperationsTests {
    let server = TestServer.current

    @Test(arguments: [("", ""), ("/a", ""), ("/a", "/a")])
    func `is whether it lives and is ready, at the root and below the issuer`(path: String, base: String) async throws {
        try await TestServer.open(issuer: "http://localhost:8080\(path)") { server in
            _ = try await server.ask()
            for name in ["live", "ready"] {
                let answer = try await server.get("\(base)/health/\(name)")
                #expect(answer.status == .ok && answer.text == #"{"status":"ok"}"#)
                #expect(answer.headers[.cacheControl] == "no-store")
                let other = try await server.send(.post, "\(base)/health/\(name)")
                #expect(other.status == .methodNotAllowed && other.headers[.allow] == "GET, HEAD")
            }
        }
    }

    @Test func `is that it should be sent nothing once its store does not answer, though it lives`() async throws {
        _ = try await server.ask()
        try await server.store.close()
        let ready = try await server.get("/health/ready")
        #expect(ready.status == .serviceUnavailable && ready.text == #"{"status":"store"}"#)
        #expect(try await server.get("/health/live").status == .ok)
    }

    @Test func `is that it should be sent nothing while a change does not end`() async throws {
        _ = try await server.ask()
        let store = HungStore(base: server.store)
        let readiness = Readiness(store: store, behind: server.server.services.store, clock: server.serverClock)
        let steps: [(Duration, Readiness.UnreadyReason?)] = [
            (.milliseconds(4_999), nil), (.seconds(5), .store), (.zero, nil),
        ]
        for (age, reason) in steps {
            store.age.withLockedValue { $0 = age }
            server.clock.advance(by: .seconds(1))
            #expect(await readiness.unreadyReason() == reason)
        }
    }

    @Test func `reads the store once a second at most, however often it is asked for`() async throws {
        _ = try await server.ask()
        #expect(try await server.get("/health/ready").status == .ok)
        try await server.store.close()
        server.clock.advance(by: .milliseconds(999))
        #expect(try await server.get("/health/ready").status == .ok)
        server.clock.advance(by: .milliseconds(1))
        #expect(try await server.get("/health/ready").status == .serviceUnavailable)
    }

    @Test func `reads the store once for all who ask before the first answer`() async throws {
        _ = try await server.ask()
        let store = HungStore(base: server.store)
        store.holdsReads.withLockedValue { $0 = true }
        let readiness = Readiness(store: store, behind: server.server.services.store, clock: server.serverClock)
        let asked = NIOLockedValueBox(0)
        await withTaskGroup(of: Readiness.UnreadyReason?.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    asked.withLockedValue { $0 += 1 }
                    return await readiness.unreadyReason()
                }
            }
            while asked.withLockedValue({ $0 }) < 20 || store.reads.withLockedValue({ $0 }) == 0 {
                await Task.yield()
            }
            // Gives all of them the time to reach the store.
            for _ in 0..<1_000 { await Task.yield() }
            store.holdsReads.withLockedValue { $0 = false }
            for await reason in group { #expect(reason == nil) }
        }
        let reads = store.reads.withLockedValue { $0 }
        #expect(reads == 1)
    }

    @Test func `is that it should be sent nothing while it stops`() async throws {
        _ = try await server.ask()
        server.server.drain()
        let ready = try await server.get("/health/ready")
        #expect(ready.status == .serviceUnavailable && ready.text == #"{"status":"stopping"}"#)
        #expect(try await server.get("/health/live").status == .ok)
    }

    @Test func `is how it does, but to everybody only where that was asked for`() async throws {
        try await TestServer.open { server in
            let answer = try await server.get("/metrics")
            #expect(answer.status == .notFound)
        }
        try await TestServer.open(configuring: { $0.showsMetrics = true }) { server in
            let answer = try await server.get("/metrics")
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(answer.text.contains("# TYPE countersign_requests_waiting gauge"))
        }
    }

    @Test(
        .server { $0.showsMetrics = true },
        arguments: [
            ("localhost:8080", HTTPResponse.Status.ok), ("127.0.0.1:8080", .ok), ("[::1]:8080", .ok),
            ("evil.example", .misdirectedRequest), ("evil.example:8080", .misdirectedRequest),
        ])
    func `is how it does, at its own port under its own names only`(
        host: String,
        status: HTTPResponse.Status
    ) async throws {
        let answer = try await server.get("/metrics", headers: [.askedHost: host])
        #expect(answer.status == status)
        #expect(answer.text.contains("countersign_") == (status == .ok))
        // Probes may not know the server's name.
        #expect(try await server.get("/health/live", headers: [.askedHost: host]).status == .ok)
    }

    @Test func `has a listener of its own, and nothing else is there`() async throws {
        _ = try await server.ask()
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let operations = Application(responder: server.server.operationsResponder(), logger: logger)
        try await operations.test(.router) { client in
            for path in ["/metrics", "/health/live", "/health/ready"] {
                let answer = try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
                #expect(answer.status == .ok)
            }
            for path in ["/", "/token", "/login"] {
                let answer = try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
                #expect(answer.status == .notFound)
            }
        }
    }

    @Test(
        .server(issuer: "https://id.example"),
        arguments: [
            ("10.0.0.5:9090", true), ("127.0.0.1:9090", true), ("[::1]:9090", true), ("[fd00::5]", true),
            ("localhost:9090", true), ("countersign", true), ("id.example:9090", true),
            ("METRICS.id.internal:9090", true),
            ("evil.test:9090", false), ("evil.example", false), ("id.example.evil.test:9090", false),
            ("10.0.0.5.evil.test:9090", false),
        ])
    func `shows figures at its own listener under names of the operator only`(host: String, isShown: Bool) async throws
    {
        let responder = try HostNaming(
            base: server.server.operationsResponder(named: "metrics.id.internal"), host: host)
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        try await Application(responder: responder, logger: logger).test(.router) { client in
            let answer = try await client.executeRequest(uri: "/metrics", method: .get, headers: [:], body: nil)
            #expect(answer.status == (isShown ? .ok : .misdirectedRequest))
            let health = try await client.executeRequest(uri: "/health/live", method: .get, headers: [:], body: nil)
            #expect(health.status == .ok, "probes may not know its name")
        }
    }
}

/// A store whose oldest change waits, or whose reads do.
private struct HungStore: ForwardingStore {
    let base: any Store
    let age = NIOLockedValueBox(Duration.zero)
    let holdsReads = NIOLockedValueBox(false)
    /// The number of reads that began.
    let reads = NIOLockedValueBox(0)

    var oldestChangeAge: Duration { age.withLockedValue { $0 } }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        reads.withLockedValue { $0 += 1 }
        while holdsReads.withLockedValue({ $0 }) { await Task.yield() }
        return try await base.read(body)
    }
}
