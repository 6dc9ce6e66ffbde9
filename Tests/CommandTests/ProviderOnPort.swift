import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix

/// An authorization provider on a free port of this machine, which does what a test says.
final class ProviderOnPort: Sendable {
    struct Answer: Sendable {
        /// The status; 0 for a connection that is closed without an answer.
        let status: Int
        let body: String
        var type = "application/json; charset=utf-8"

        static let registered = Answer(status: 201, body: #"{"client_id":"407","client_secret":"kept-secret"}"#)
        static let pending = Answer(status: 202, body: #"{"reason":"authorization_pending"}"#)
        static let denied = Answer(
            status: 400,
            body: #"{"error":"cancelled","error_description":"User denied access"}"#
        )
        static let expired = Answer(status: 400, body: #"{"error":"expired","error_description":"Too late"}"#)
        static let unknownClient = Answer(
            status: 400,
            body: #"{"error":"invalid_client","error_description":"Client not found"}"#
        )

        static func code(at address: String) -> Answer {
            Answer(
                status: 200,
                body: #"""
                    {"device_code":"device-code","user_code":"AfZQNVkR","verification_uri":"\#(address)/verify",
                    "interval":1,"expires_in":600}
                    """#
            )
        }

        static func token(_ value: String, user: String? = nil) -> Answer {
            let name = user.map { #","user_name":"\#($0)""# } ?? ""
            return Answer(
                status: 200,
                body: #"""
                    {"access_token":"\#(value)","token_type":"bearer","expires_in":3600,"domain":"radio.example",
                    "domain_display_name":"Example Radio"\#(name)}
                    """#
            )
        }
    }

    /// One request: its path, and the members of its body.
    struct Asked: Sendable {
        let path: String
        let members: [String: String]
        /// The count of earlier requests to this path.
        let before: Int
    }

    private let channel: any Channel
    private let log: NIOLockedValueBox<[Asked]>

    var base: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }

    /// The paths that were asked so far.
    var asked: [String] { log.withLockedValue { $0.map(\.path) } }

    /// The bodies that were sent to a path.
    func bodies(to path: String) -> [[String: String]] {
        log.withLockedValue { $0.filter { $0.path == path }.map(\.members) }
    }

    private init(channel: any Channel, log: NIOLockedValueBox<[Asked]>) {
        self.channel = channel
        self.log = log
    }

    /// Starts to listen, and runs `body`; stops in the end.
    static func with(
        _ answer: @escaping @Sendable (Asked) -> Answer,
        _ body: (ProviderOnPort) async throws -> Void
    ) async throws {
        let log = NIOLockedValueBox<[Asked]>([])
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.pipeline.configureHTTPServerPipeline().flatMapThrowing {
                    try channel.pipeline.syncOperations.addHandler(Conversation(log: log, answer: answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let provider = ProviderOnPort(channel: channel, log: log)
        do {
            try await body(provider)
        } catch {
            try? await channel.close()
            throw error
        }
        try await channel.close()
    }
}

private final class Conversation: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let log: NIOLockedValueBox<[ProviderOnPort.Asked]>
    private let answer: @Sendable (ProviderOnPort.Asked) -> ProviderOnPort.Answer
    private var path = ""
    private var body: [UInt8] = []

    init(
        log: NIOLockedValueBox<[ProviderOnPort.Asked]>,
        answer: @escaping @Sendable (ProviderOnPort.Asked) -> ProviderOnPort.Answer
    ) {
        self.log = log
        self.answer = answer
    }

    /// The members of a body that is a form.
    private var formMembers: [String: String] {
        let items = URLComponents(string: "?" + String(decoding: body, as: UTF8.self))?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            (path, body) = (head.uri, [])
        case .body(let part):
            body += part.readableBytesView
        case .end:
            let members = (try? JSONDecoder().decode([String: String].self, from: Data(body))) ?? formMembers
            let path = path
            let asked = log.withLockedValue { log in
                let before = log.count { $0.path == path }
                let asked = ProviderOnPort.Asked(path: path, members: members, before: before)
                log.append(asked)
                return asked
            }
            let answer = answer(asked)
            guard answer.status != 0 else { return context.close(promise: nil) }
            let fields: HTTPHeaders = [
                "Content-Type": answer.type, "Content-Length": "\(answer.body.utf8.count)",
            ]
            let head = HTTPResponseHead(
                version: .http1_1,
                status: HTTPResponseStatus(statusCode: answer.status),
                headers: fields
            )
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer.body)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
