import Countersign
import CountersignTesting
import HTTPTypes
import Metrics
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import CountersignServer

@Suite("A connection that answers at once what it can")
struct FastPathHandlerTests {
    private let channel: EmbeddedChannel
    private let clock = ManualClock()
    private let waits = DecisionWaits(capacity: 1)
    private let one = SignInRequest.ID("one")

    /// `/now` is answered with its own body, `/held` is held for half a minute; everything else goes on.
    init() throws {
        let (clock, waits, one) = (clock, waits, one)
        var answers = FastPath(
            clock: clock.source,
            metrics: ServerMetrics(NOOPMetricsHandler.instance)
        )
        answers.add(.post, "/now", as: "/now") { request in
            let bytes = Array(request.body.readableBytesView)
            return bytes == Array("later".utf8) ? nil : .answer(.json(bytes))
        }
        answers.add(.post, "/held", as: "/held") { _ in
            .wait(
                FastPathWait(
                    span: .seconds(30),
                    begin: { waits.begin(one) },
                    end: { waits.end($0) },
                    answer: { .json(Array(($0 ? "whole" : "broken").utf8)) }
                )
            )
        }
        channel = EmbeddedChannel(handler: FastPathHandler(answers))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
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

    private func receive(_ parts: [HTTPRequestPart]) throws {
        for part in parts { channel.pipeline.fireChannelRead(part) }
        channel.pipeline.fireChannelReadComplete()
    }

    /// The bodies that were answered so far, in their order.
    private func answers() throws -> [String] {
        var bodies: [String] = []
        while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
            if case .body(let bytes) = part { bodies.append(String(buffer: bytes)) }
        }
        return bodies
    }

    private func passedOn() throws -> [HTTPRequestPart] {
        var parts: [HTTPRequestPart] = []
        while let part = try channel.readInbound(as: HTTPRequestPart.self) { parts.append(part) }
        return parts
    }

    private func answerWhatWasPassedOn(_ body: String) throws {
        channel.write(HTTPResponsePart.head(HTTPResponse(status: .ok)), promise: nil)
        channel.write(HTTPResponsePart.body(ByteBuffer(string: body)), promise: nil)
        try channel.writeAndFlush(HTTPResponsePart.end(nil)).wait()
    }

    @Test func `answers, and passes nothing on`() throws {
        try receive(request("/now", "one") + request("/now", "two"))
        #expect(try answers() == ["one", "two"])
        #expect(try passedOn().isEmpty)
    }

    @Test func `answers a form that comes byte by byte`() throws {
        try receive([head("/now", length: 3)])
        for byte in ["o", "n", "e"] { try receive([.body(ByteBuffer(string: byte))]) }
        #expect(try answers().isEmpty)
        try receive([.end(nil)])
        #expect(try answers() == ["one"])
    }

    @Test func `passes on what cannot be answered at once, whole and as it came`() throws {
        for (path, body) in [("/later", "one"), ("/now", "later")] {
            try receive(request(path, body))
            #expect(try passedOn() == request(path, body))
            try answerWhatWasPassedOn("an answer")
            #expect(try answers() == ["an answer"])
        }
    }

    @Test func `keeps the order of answers`() throws {
        try receive(request("/now", "1") + request("/later", "2") + request("/now", "3"))
        #expect(try answers() == ["1"])
        #expect(try passedOn() == request("/later", "2") + request("/now", "3"))
        try answerWhatWasPassedOn("2")
        try receive(request("/now", "4"))
        #expect(try passedOn() == request("/now", "4"))
        for body in ["3", "4"] { try answerWhatWasPassedOn(body) }
        try receive(request("/now", "5"))
        #expect(try answers() == ["2", "3", "4", "5"])
    }

    @Test func `leaves requests with a trailer to others`() throws {
        let parts = Array(request("/now", "one").dropLast()) + [.end([.accept: "x"])]
        try receive(parts)
        #expect(try passedOn() == parts)
    }

    @Test func `hands a request that is interrupted to those who would have read it, before they hear of it`() throws {
        struct Broken: Error {}
        try receive([head("/now", length: 10), .body(ByteBuffer(string: "one"))])
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(try passedOn() == [head("/now", length: 10), .body(ByteBuffer(string: "one"))])
        try receive([.body(ByteBuffer(string: "two")), .end(nil)])
        #expect(try passedOn() == [.body(ByteBuffer(string: "two")), .end(nil)])
        try answerWhatWasPassedOn("an answer")

        try receive([head("/now", length: 10)])
        channel.pipeline.fireErrorCaught(Broken())
        #expect(try passedOn() == [head("/now", length: 10)])
        #expect(throws: Broken.self) { try channel.throwIfErrorCaught() }
    }

    @Test func `answers nobody who does not read`() throws {
        channel.isWritable = false
        try receive(request("/now", "one"))
        #expect(try answers().isEmpty)
        #expect(try passedOn() == request("/now", "one"))
    }

    // MARK: Holding

    private func expectHeld() throws {
        try receive(request("/held", "body"))
        #expect(try answers().isEmpty)
        #expect(try passedOn().isEmpty)
        #expect(waits.count == 1)
    }

    private func expectPassedOn(waiting preference: String?) throws {
        let parts = try passedOn()
        #expect(parts.count == 3)
        guard case .head(let head) = parts.first else { throw Nothing() }
        #expect(head.path == "/held")
        #expect(head.headerFields[.prefer] == preference)
        #expect(parts.contains(.body(ByteBuffer(string: "body"))))
        #expect(parts.last == .end(nil))
        #expect(waits.count == 0)
    }

    private struct Nothing: Error {}

    @Test func `holds a request, and answers when its time is over`() async throws {
        try expectHeld()
        await clock.sleepers(1)
        clock.advance(by: .seconds(30))
        while waits.count > 0 {
            channel.embeddedEventLoop.run()
            await Task.yield()
        }
        #expect(try answers() == ["whole"])
        #expect(try passedOn().isEmpty)
        try receive(request("/now", "two"))
        #expect(try answers() == ["two"])
    }

    @Test func `lets others go on with what it held when something came, for the rest of the time`() throws {
        try expectHeld()
        clock.advance(by: .milliseconds(12_500))
        waits.storeChanged([.exchange(one, deviceCode: SecretDigest(of: "code"))])
        channel.embeddedEventLoop.run()
        #expect(try answers().isEmpty)
        try expectPassedOn(waiting: "wait=18")
        #expect(clock.sleeping == 0)
        try answerWhatWasPassedOn("done")
        try receive(request("/now", "two"))
        #expect(try answers() == ["done", "two"])
    }

    @Test func `lets others go on when more is sent after what it held`() throws {
        try expectHeld()
        try receive(request("/now", "two"))
        #expect(try answers().isEmpty)
        let parts = try passedOn()
        #expect(parts.count == 6)
        #expect(waits.count == 0)
    }

    @Test func `ends what it held when the same client asks elsewhere`() throws {
        try expectHeld()
        let other = waits.begin(one)
        #expect(other != nil)
        channel.embeddedEventLoop.run()
        #expect(try answers() == ["broken"])
        #expect(waits.count == 1)
    }

    @Test func `answers what it held before the server stops`() throws {
        try expectHeld()
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(try answers() == ["whole"])
        #expect(waits.count == 0)
        #expect(clock.sleeping == 0)
    }

    @Test func `holds nothing for a client that has left`() throws {
        try expectHeld()
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(try answers() == ["broken"])
        #expect(waits.count == 0)
        try receive(request("/held", "body"))
        #expect(waits.count == 1)
        try channel.close().wait()
        #expect(waits.count == 0)
        #expect(clock.sleeping == 0)
    }

    @Test func `passes on what it cannot hold, because too many wait`() throws {
        let first = waits.begin(SignInRequest.ID("another"))
        #expect(first != nil)
        try receive(request("/held", "body"))
        #expect(try passedOn().count == 3)
    }
}
