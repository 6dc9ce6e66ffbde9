import Countersign
import CountersignTesting
import CountersignWire
import Dispatch
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOPosix
import Testing

@testable import CountersignServer

@Suite("A flood of sign-ins")
struct PasswordFloodTests {
    /// The sender of a sign-in, and the status of its answer.
    private struct Outcome: Sendable, Equatable {
        let isOfFlood: Bool
        let status: HTTPResponse.Status
    }

    /// Two passwords are hashed at once, and 62 wait; here none is hashed before the gate opens.
    @Test func `from one network does not keep another from signing in`() async throws {
        try await Self.withHeldHasher { server, hasher, open in
            let browser = try await server.newBrowser()
            try await server.withLoginPage(hashingWith: hasher) { client in
                try await withThrowingTaskGroup(of: Outcome.self) { group in
                    for _ in 0...PasswordHasher.mostWaiting {
                        group.addTask {
                            try await Self.signIn("wrong", from: "203.0.113.1", by: browser, at: client)
                        }
                    }
                    #expect(try await group.next() == Outcome(isOfFlood: true, status: .tooManyRequests))
                    group.addTask {
                        try await Self.signIn(
                            TestPerson.anna.password.revealed, from: "198.51.100.7", by: browser, at: client)
                    }
                    // It has taken the place of one of the flood.
                    #expect(try await group.next() == Outcome(isOfFlood: true, status: .tooManyRequests))
                    open()
                    var outcomes: [Outcome] = []
                    for try await outcome in group { outcomes.append(outcome) }
                    let clean = outcomes.filter { !$0.isOfFlood }
                    #expect(clean == [Outcome(isOfFlood: false, status: .seeOther)])
                    #expect(outcomes.count == PasswordHasher.mostWaiting)
                }
            }
        }
    }

    /// Each network keeps one password waiting, so none can take the place of another.
    @Test func `from more networks than can wait does not keep a known browser from signing in`() async throws {
        try await Self.withHeldHasher { server, hasher, open in
            let browser = try await server.newBrowser()
            let keys = try await server.server.services.keys.current()
            let cookie = keys.knownBrowserCookie(
                for: TestPerson.anna.subject, "nonce", replacing: nil, at: server.clock.date)
            let known = TestBrowser(
                server: server,
                cookie: "\(browser.cookie); countersign-known-8080=\(cookie.revealed)",
                formToken: browser.formToken
            )
            try await server.withLoginPage(hashingWith: hasher) { client in
                try await withThrowingTaskGroup(of: Outcome.self) { group in
                    for number in 0...PasswordHasher.mostWaiting {
                        group.addTask {
                            try await Self.signIn("wrong", from: "203.0.113.\(number)", by: browser, at: client)
                        }
                    }
                    #expect(try await group.next() == Outcome(isOfFlood: true, status: .tooManyRequests))
                    group.addTask {
                        try await Self.signIn(
                            TestPerson.anna.password.revealed, from: "198.51.100.7", by: known, at: client)
                    }
                    // The gate opens once it waits; if it were refused, after ten seconds.
                    for _ in 0..<1_000 where hasher.queueLength <= PasswordHasher.mostWaiting {
                        try await Task.sleep(for: .milliseconds(10))
                    }
                    open()
                    var outcomes: [Outcome] = []
                    for try await outcome in group { outcomes.append(outcome) }
                    #expect(outcomes.filter { !$0.isOfFlood } == [Outcome(isOfFlood: false, status: .seeOther)])
                    let wrong = Outcome(isOfFlood: true, status: .forbidden)
                    #expect(outcomes.count { $0 == wrong } == PasswordHasher.mostWaiting)
                }
            }
        }
    }

    @Test func `is counted while it waits for a turn, and what was refused is not`() async throws {
        let metrics = PrometheusMetrics()
        let clock = ManualClock()
        try await Self.withHeldHasher(measuring: PasswordMetrics(metrics, by: clock.source)) { _, hasher, open in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<PasswordHasher.mostWaiting {
                    group.addTask { try await hasher.matches(Password(revealing: "wrong"), nil) }
                }
                while hasher.queueLength < PasswordHasher.mostWaiting { await Task.yield() }
                await #expect(throws: RateLimitError(.passwordQueue, retryAfter: 5)) {
                    try await hasher.matches(Password(revealing: "wrong"), nil)
                }
                #expect(metrics.text().contains("\ncountersign_password_hashes_waiting 64\n"))
                clock.advance(by: .seconds(3))
                open()
                try await group.waitForAll()
            }
        }
        let text = metrics.text()
        #expect(text.contains("\ncountersign_password_hashes_waiting 0\n"))
        #expect(text.contains("\ncountersign_password_hash_duration_seconds_count 64\n"))
        #expect(text.contains("\ncountersign_password_hash_duration_seconds_sum 192"))
    }

    /// Runs `body` with a server and a hasher whose threads are held until `open` is called.
    private static func withHeldHasher(
        measuring metrics: PasswordMetrics? = nil,
        _ body:
            @escaping @Sendable (TestServer, PasswordHasher, _ open: @escaping @Sendable () -> Void) async throws
            -> Void
    ) async throws {
        let threads = NIOThreadPool(numberOfThreads: PasswordHasher.atOnce)
        threads.start()
        let gate = DispatchSemaphore(value: 0)
        for _ in 0..<PasswordHasher.atOnce { threads.submit { _ in gate.wait() } }
        let hasher = PasswordHasher(cost: TestPerson.cost, drawingFrom: .system, on: threads, measuring: metrics)
        try await TestServer.open { server in
            try await body(server, hasher) { for _ in 0..<PasswordHasher.atOnce { gate.signal() } }
        }
        try await threads.shutdownGracefully()
    }

    private static func signIn(
        _ password: String,
        from address: String,
        by browser: TestBrowser,
        at client: any TestClientProtocol
    ) async throws -> Outcome {
        let form: Form = ["username": "anna", "password": password, "form_token": browser.formToken]
        let answer = try await client.executeRequest(
            uri: "/login",
            method: .post,
            headers: [
                .cookie: browser.cookie, .contentType: "application/x-www-form-urlencoded", .xForwardedFor: address,
            ],
            body: ByteBuffer(string: form.encoded)
        )
        return Outcome(isOfFlood: password == "wrong", status: answer.status)
    }
}
