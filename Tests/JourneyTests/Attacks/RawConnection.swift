import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A connection that sends anything, well-formed or not.
struct RawConnection: Sendable {
    private let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// The answers that came back before one of the sides ended it.
    struct Heard: Sendable {
        var answers: [RawAnswer] = []
        /// Bytes that are no whole answer.
        var rest: [UInt8] = []
        /// Whether the server closed the connection.
        var isClosed = false
        /// The first answer that is not an interim one (1xx).
        var final: RawAnswer? { answers.first { $0.status >= 200 } }
    }

    /// The time limit for answers that must come; only a server that hangs lets it pass.
    static let timeLimit = Duration.seconds(120)

    struct Hung: Error, CustomStringConvertible {
        let description: String
    }

    /// Connects to the server at `port`.
    static func with<Result: Sendable>(
        _ port: Int,
        _ body: @escaping @Sendable (RawConversation) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                try await channel.executeThenClose { inbound, outbound in
                    try await body(RawConversation(inbound: inbound, outbound: outbound, channel: channel.channel))
                }
            }
            group.addTask {
                try await Task.sleep(for: timeLimit)
                return nil
            }
            defer { group.cancelAll() }
            guard case .some(.some(let result)) = try await group.next() else {
                channel.channel.close(promise: nil)
                throw Hung(description: "The server neither answered nor closed the connection.")
            }
            return result
        }
    }

    /// Sends bytes on a connection of their own, and listens until a whole answer has come or the server closes.
    static func exchange(_ bytes: [UInt8], with port: Int, untilClosed: Bool = false) async throws -> Heard {
        try await with(port) { conversation in
            try await conversation.say(bytes, listeningUntilClosed: untilClosed)
        }
    }
}

/// Both directions of a raw connection.
struct RawConversation: Sendable {
    let inbound: NIOAsyncChannelInboundStream<ByteBuffer>
    let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    let channel: any Channel

    /// Sends; a server that has closed is no error, because it may.
    func send(_ bytes: [UInt8]) async {
        try? await outbound.write(ByteBuffer(bytes: bytes))
    }

    func send(_ text: String) async {
        await send(Array(text.utf8))
    }

    /// Sends, and listens meanwhile until a whole answer has come (or the server closes, where that is waited for).
    func say(_ bytes: [UInt8], listeningUntilClosed untilClosed: Bool = false) async throws -> RawConnection.Heard {
        async let sending: Void = send(bytes)
        let heard = await listen { untilClosed ? false : $0.final != nil }
        // Bytes that were not sent by now are not wanted any more.
        if heard.isClosed { channel.close(promise: nil) }
        await sending
        return heard
    }

    /// Listens until `isEnough`, or until the server closes.
    func listen(until isEnough: (RawConnection.Heard) -> Bool) async -> RawConnection.Heard {
        var heard = RawConnection.Heard()
        do {
            for try await part in inbound {
                heard.rest += Array(buffer: part)
                while let answer = RawAnswer(takenFrom: &heard.rest) { heard.answers.append(answer) }
                if isEnough(heard) { return heard }
            }
        } catch {
            // A connection that is reset is closed, too.
        }
        heard.isClosed = true
        return heard
    }
}

/// An answer as it came over the wire.
struct RawAnswer: Sendable {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: String

    /// The value of a header.
    subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Takes a whole answer from the front; `nil` while there is none.
    init?(takenFrom bytes: inout [UInt8], withoutBody: Bool = false) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        guard let first = lines.first?.split(separator: " "), first.count >= 2, first[0].hasPrefix("HTTP/1."),
            let status = Int(first[1])
        else { return nil }
        self.status = status
        headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count == 2 ? String(parts[1].drop { $0 == " " }) : "")
        }
        let length = headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
        guard bytes.count >= end.upperBound + length else { return nil }
        body = String(decoding: bytes[end.upperBound..<end.upperBound + length], as: UTF8.self)
        bytes.removeFirst(end.upperBound + length)
    }
}
