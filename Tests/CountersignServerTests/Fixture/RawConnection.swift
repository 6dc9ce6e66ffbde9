import CountersignTesting
import CountersignWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOPosix
import Testing

@testable import CountersignServer

/// A connection through a socket that carries exactly what a test writes.
struct RawConnection: Sendable {
    /// One answer as it came.
    struct Answer: Sendable, Equatable {
        let status: Int
        /// The header fields by their names in lower case.
        let fields: [String: String]
        let body: String
    }

    struct Ended: Error {}

    private let channel: any Channel
    private let answers: AsyncStream<Answer>

    init(port: Int) async throws {
        let (answers, next) = AsyncStream.makeStream(of: Answer.self)
        self.answers = answers
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AnswerReader(next))
                }
            }
            .connect(host: "localhost", port: port).get()
    }

    func send(_ text: String) async throws {
        try await channel.writeAndFlush(ByteBuffer(string: text))
    }

    /// The next answer.
    func answer() async throws -> Answer {
        for await answer in answers { return answer }
        throw Ended()
    }

    func close() async throws {
        try await channel.close()
    }

    /// A form as a client sends it.
    static func post(_ path: String, _ form: Form, fields: [String] = []) -> String {
        let body = form.encoded
        let type = fields.contains { $0.hasPrefix("Content-Type") } ? [] : ["Content-Type: \(formType)"]
        let all = ["Host: localhost:8080", "Content-Length: \(body.utf8.count)"] + type + fields
        return "POST \(path) HTTP/1.1\r\n" + all.map { "\($0)\r\n" }.joined() + "\r\n" + body
    }

    static let formType = "application/x-www-form-urlencoded"
}

/// Takes the answers of a server apart; each has a `Content-Length`.
private final class AnswerReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let next: AsyncStream<RawConnection.Answer>.Continuation
    private var text = ""

    init(_ next: AsyncStream<RawConnection.Answer>.Continuation) {
        self.next = next
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        text += String(buffer: unwrapInboundIn(data))
        while let answer = takeAnswer() { next.yield(answer) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        next.finish()
    }

    private func takeAnswer() -> RawConnection.Answer? {
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        let pairs = lines.dropFirst().map { line -> (String, String) in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts.count < 2 ? "" : String(parts[1].dropFirst()))
        }
        let fields = Dictionary(pairs) { "\($0), \($1)" }
        let rest = text[end.upperBound...].utf8
        guard let length = Int(fields["content-length"] ?? "0"), rest.count >= length,
            let status = lines.first.flatMap({ Int($0.split(separator: " ")[1]) })
        else { return nil }
        let body = String(decoding: rest.prefix(length), as: UTF8.self)
        text = String(decoding: rest.dropFirst(length), as: UTF8.self)
        return RawConnection.Answer(status: status, fields: fields, body: body)
    }
}

extension TestServer {
    /// Lets the server listen at a port while `test` runs.
    func listening(_ test: @Sendable (_ port: Int) async throws -> Void) async throws {
        try await server.application(listening: .hostname("localhost", port: 0)).test(.live) { client in
            try await test(try #require(client.port))
        }
    }

    /// Waits until each service of a server that listens sleeps: maintenance, the counts of other nodes, notices of
    /// sessions that ended, the metadata of providers. Time that passes before would not wake them.
    func servicesSleep() async { await clock.sleepers(5) }

    /// Waits until a line is among the figures.
    func figure(_ line: String) async {
        while !metrics.text().contains("\n\(line)\n") { await Task.yield() }
    }
}
