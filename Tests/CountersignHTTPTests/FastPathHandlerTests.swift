import Countersign
import CountersignTesting
import HTTPTypes
import Logging
import Metrics
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Synchronization
import Testing

@testable import CountersignHTTP

@Suite("A connection that answers at once what it can")
struct FastPathHandlerTests {
    private let channel: NIOAsyncTestingChannel
    private let clock: ManualClock
    private let waits: ChangeWaiters
    private let one = AwaitedTopic.signIn(SignInRequest.ID("one"))

    /// The result of a look at the request that is waited for.
    private let found: Found

    /// `/now` is answered with its own body, `/held` is held for half a minute; everything else goes on.
    init() async throws {
        clock = ManualClock()
        waits = ChangeWaiters(
            in: MemoryShare(room: MemoryCost.heldAtConnection), mostOfOne: 1, timer: WaitTimer(clock.source))
        let (clock, waits, one) = (clock, waits, one)
        var path = FastPath(
            clock: clock.source,
            metrics: ServerMetrics(NOOPMetricsHandler.instance),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        path.add(.post, "/now", as: "/now") { request in
            let bytes = Array(request.body.readableBytesView)
            return bytes == Array("later".utf8) ? nil : .answer(JSONResponse(bytes))
        }
        let found = Found()
        self.found = found
        path.add(.post, "/held", as: "/held") { _ in
            .wait(Held(topic: one, waits: waits, end: clock.instant + .seconds(30), found: found))
        }
        let whole = path
        channel = try await NIOAsyncTestingChannel { try $0.pipeline.syncOperations.addHandler(FastPathHandler(whole)) }
        try await channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1))
    }

    private func head(_ path: String, length: Int) -> HTTPRequestPart {
        .head(
            HTTPRequest(
                method: .post,
                scheme: "http",
                authority: "localhost",
                path: path,
                headerFields: [
                    .contentType: "application/x-www-form-urlencoded", .contentLength: String(length),
                ]
            )
        )
    }

    private func request(_ path: String, _ body: String) -> [HTTPRequestPart] {
        [head(path, length: body.utf8.count), .body(ByteBuffer(string: body)), .end(nil)]
    }

    private func receive(_ parts: [HTTPRequestPart]) async throws {
        try await channel.testingEventLoop.executeInContext { [pipeline = channel.pipeline] in
            for part in parts { pipeline.fireChannelRead(part) }
            pipeline.fireChannelReadComplete()
        }
    }

    private func trigger(_ event: any Sendable) async throws {
        try await channel.testingEventLoop.executeInContext { [pipeline = channel.pipeline] in
            pipeline.fireUserInboundEventTriggered(event)
        }
    }

    /// The bodies that were answered so far, in their order.
    private func answers() async throws -> [String] {
        var bodies: [String] = []
        while let part = try await channel.readOutbound(as: HTTPResponsePart.self) {
            if case .body(let bytes) = part { bodies.append(String(buffer: bytes)) }
        }
        return bodies
    }

    private func passedOn() async throws -> [HTTPRequestPart] {
        var parts: [HTTPRequestPart] = []
        while let part = try await channel.readInbound(as: HTTPRequestPart.self) { parts.append(part) }
        return parts
    }

    private func answerWhatWasPassedOn(_ body: String) async throws {
        for part: HTTPResponsePart in [
            .head(HTTPResponse(status: .ok)), .body(ByteBuffer(string: body)), .end(nil),
        ] {
            try await channel.writeOutbound(part)
        }
    }

    @Test func `answers, and passes nothing on`() async throws {
        try await receive(request("/now", "one") + request("/now", "two"))
        #expect(try await answers() == ["one", "two"])
        #expect(try await passedOn().isEmpty)
    }

    @Test func `answers a form that comes byte by byte`() async throws {
        try await receive([head("/now", length: 3)])
        for byte in ["o", "n", "e"] { try await receive([.body(ByteBuffer(string: byte))]) }
        #expect(try await answers().isEmpty)
        try await receive([.end(nil)])
        #expect(try await answers() == ["one"])
    }

    @Test func `passes on what cannot be answered at once, whole and as it came`() async throws {
        for (path, body) in [("/later", "one"), ("/now", "later")] {
            try await receive(request(path, body))
            #expect(try await passedOn() == request(path, body))
            try await answerWhatWasPassedOn("an answer")
            #expect(try await answers() == ["an answer"])
        }
    }

    @Test func `keeps the order of answers`() async throws {
        try await receive(request("/now", "1") + request("/later", "2") + request("/now", "3"))
        #expect(try await answers() == ["1"])
        #expect(try await passedOn() == request("/later", "2") + request("/now", "3"))
        try await answerWhatWasPassedOn("2")
        try await receive(request("/now", "4"))
        #expect(try await passedOn() == request("/now", "4"))
        for body in ["3", "4"] { try await answerWhatWasPassedOn(body) }
        try await receive(request("/now", "5"))
        #expect(try await answers() == ["2", "3", "4", "5"])
    }

    @Test func `leaves requests with a trailer to others`() async throws {
        let parts = Array(request("/now", "one").dropLast()) + [.end([.accept: "x"])]
        try await receive(parts)
        #expect(try await passedOn() == parts)
    }

    @Test func `hands a request that is interrupted to those who would have read it, before they hear of it`()
        async throws
    {
        struct Broken: Error {}
        try await receive([head("/now", length: 10), .body(ByteBuffer(string: "one"))])
        try await trigger(ChannelShouldQuiesceEvent())
        #expect(try await passedOn() == [head("/now", length: 10), .body(ByteBuffer(string: "one"))])
        try await receive([.body(ByteBuffer(string: "two")), .end(nil)])
        #expect(try await passedOn() == [.body(ByteBuffer(string: "two")), .end(nil)])
        try await answerWhatWasPassedOn("an answer")

        try await receive([head("/now", length: 10)])
        try await channel.testingEventLoop.executeInContext { [pipeline = channel.pipeline] in
            pipeline.fireErrorCaught(Broken())
        }
        #expect(try await passedOn() == [head("/now", length: 10)])
        await #expect(throws: Broken.self) { try await channel.throwIfErrorCaught() }
    }

    @Test func `answers nobody who does not read`() async throws {
        channel.isWritable = false
        try await receive(request("/now", "one"))
        #expect(try await answers().isEmpty)
        #expect(try await passedOn() == request("/now", "one"))
    }

    // MARK: Holding

    private func expectHeld() async throws {
        try await receive(request("/held", "body"))
        #expect(try await answers().isEmpty)
        #expect(try await passedOn().isEmpty)
        #expect(waits.count == 1)
    }

    @Test func `holds a request, and answers when its time is over`() async throws {
        try await expectHeld()
        await clock.sleepers(1)
        clock.advance(by: .seconds(30))
        await run { waits.count == 0 }
        #expect(try await answers() == ["whole"])
        #expect(try await passedOn().isEmpty)
        try await receive(request("/now", "two"))
        #expect(try await answers() == ["two"])
    }

    /// Runs what tasks gave to the loop until `isDone`.
    private func run(until isDone: () -> Bool) async {
        while !isDone() {
            await channel.testingEventLoop.run()
            await Task.yield()
        }
    }

    private func change() { waits.finish(one) }

    @Test func `answers what it held when something came, and goes on`() async throws {
        try await expectHeld()
        found.answer("found")
        change()
        await run { waits.count == 0 }
        #expect(try await answers() == ["found"])
        #expect(try await passedOn().isEmpty)
        #expect(clock.sleeping == 0)
        try await receive(request("/now", "two"))
        #expect(try await answers() == ["two"])
    }

    @Test func `holds on when there is still nothing, for the rest of the time`() async throws {
        try await expectHeld()
        await clock.sleepers(1)
        clock.advance(by: .milliseconds(12_500))
        change()
        await run { found.looks == 1 && clock.sleeping == 1 }
        #expect(try await answers().isEmpty)
        clock.advance(by: .milliseconds(17_500))
        await run { waits.count == 0 }
        #expect(try await answers() == ["whole"])
        #expect(found.looks == 1)
    }

    @Test func `looks at once at what came before it began to wait`() async throws {
        found.answer("found")
        try await receive(request("/held", "body"))
        await run { waits.count == 0 }
        #expect(try await answers() == ["found"])
    }

    @Test func `keeps what is sent after what it held until that is answered`() async throws {
        try await expectHeld()
        try await receive(request("/now", "two") + request("/later", "three"))
        #expect(try await answers().isEmpty)
        #expect(try await passedOn().isEmpty)
        found.answer("found")
        change()
        await run { waits.count == 0 }
        #expect(try await answers() == ["found", "two"])
        #expect(try await passedOn() == request("/later", "three"))
    }

    @Test func `lets the server stop only when an answer that is being looked for was written`() async throws {
        try await expectHeld()
        found.isSlow = true
        change()
        await run { found.looks == 1 }
        try await trigger(ChannelShouldQuiesceEvent())
        #expect(try await answers().isEmpty)
        found.answer("found")
        await run { waits.count == 0 }
        #expect(try await answers() == ["found"])
    }

    @Test func `ends what it held when the same client asks elsewhere`() async throws {
        try await expectHeld()
        let other = waits.begin(one, from: nil)
        #expect(other != nil)
        await channel.testingEventLoop.run()
        #expect(try await answers() == ["broken"])
        #expect(waits.count == 1)
    }

    @Test func `answers what it held before the server stops`() async throws {
        try await expectHeld()
        try await trigger(ChannelShouldQuiesceEvent())
        #expect(try await answers() == ["whole"])
        #expect(waits.count == 0)
        #expect(clock.sleeping == 0)
    }

    @Test func `holds nothing for a client that has left`() async throws {
        try await expectHeld()
        try await trigger(ChannelEvent.inputClosed)
        #expect(try await answers() == ["broken"])
        #expect(waits.count == 0)
        try await receive(request("/held", "body"))
        #expect(waits.count == 1)
        try await channel.close()
        #expect(waits.count == 0)
        #expect(clock.sleeping == 0)
    }

    @Test func `answers at once what it cannot hold, because too many wait`() async throws {
        let first = waits.begin(.signIn(SignInRequest.ID("another")), from: nil)
        #expect(first != nil)
        try await receive(request("/held", "body"))
        #expect(try await answers() == ["not held"])
        #expect(try await passedOn().isEmpty)
    }
}

/// The result of a look, as the test sets it.
private final class Found: Sendable {
    private struct State {
        var answer: String?
        var looks = 0
        var isSlow = false
    }

    private let state = Mutex(State())

    var looks: Int { state.withLock { $0.looks } }
    var isEmpty: Bool { state.withLock { $0.answer == nil } }
    /// Whether a look lasts until there is an answer.
    var isSlow: Bool {
        get { state.withLock { $0.isSlow } }
        set { state.withLock { $0.isSlow = newValue } }
    }

    func answer(_ text: String) { state.withLock { $0.answer = text } }

    func look() async -> String? {
        state.withLock { $0.looks += 1 }
        while isSlow, isEmpty { try? await Task.sleep(for: .milliseconds(1)) }
        return state.withLock { $0.answer }
    }
}

/// A request that is held as the token endpoint holds polls.
private struct Held: FastPathWait {
    let topic: AwaitedTopic
    let waits: ChangeWaiters
    let end: ContinuousClock.Instant
    let found: Found

    var isPending: Bool { found.isEmpty }

    func begin() -> ChangeWaiter? { waits.begin(topic, from: nil) }
    func end(_ waiting: ChangeWaiter) { waits.end(waiting, for: topic) }

    func look(_ logger: Logger) async -> JSONResponse? {
        await found.look().map { JSONResponse(Array($0.utf8)) }
    }

    func answer(after end: ChangeWaiter.End, _ logger: Logger) -> JSONResponse? {
        switch end {
        case .changed: nil
        case .timeOver: JSONResponse(Array("whole".utf8))
        case .superseded, .left: JSONResponse(Array("broken".utf8))
        }
    }

    func answerWithoutWaiting(_ logger: Logger) -> JSONResponse { JSONResponse(Array("not held".utf8)) }
}
