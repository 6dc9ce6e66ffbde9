import Countersign
import CountersignWire
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix

/// An authorization server that can do one thing: replace a refresh token, once each. It counts the requests.
final class RenewingServer: Sendable {
    let issuer: String
    /// The refresh tokens that were presented, in this order.
    var presented: [String] { state.withLockedValue(\.presented) }

    private let state: NIOLockedValueBox<State>
    private let channel: any Channel

    fileprivate struct State {
        /// The only refresh token that is good: each is, once.
        var current: String
        var presented: [String] = []
    }

    /// Starts a server that redeems `token`.
    static func start(knowing token: String) async throws -> RenewingServer {
        let state = NIOLockedValueBox(State(current: token))
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(RenewingHandler(state))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return RenewingServer(channel, state)
    }

    private init(_ channel: any Channel, _ state: NIOLockedValueBox<State>) {
        self.channel = channel
        self.state = state
        issuer = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)"
    }

    deinit { channel.close(promise: nil) }
}

private final class RenewingHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let state: NIOLockedValueBox<RenewingServer.State>
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ state: NIOLockedValueBox<RenewingServer.State>) {
        self.state = state
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let part):
            body += Array(part.readableBytesView)
        case .end:
            guard let head else { return }
            if head.uri == "/token" { renew(context) } else { describe(head, context) }
        }
    }

    private func describe(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let issuer = "http://\(head.headers["host"].first ?? "")"
        var metadata = AuthorizationServerMetadata(issuer: issuer)
        metadata.tokenEndpoint = "\(issuer)/token"
        metadata.deviceAuthorizationEndpoint = "\(issuer)/device_authorization"
        write(.ok, metadata, context)
    }

    private func renew(_ context: ChannelHandlerContext) {
        let token = (try? Form(parsing: body))?["refresh_token"] ?? ""
        let next: String? = state.withLockedValue { state in
            state.presented.append(token)
            guard token == state.current else { return nil }
            state.current = "refresh-\(state.presented.count + 1)"
            return state.current
        }
        guard let next else {
            return write(.badRequest, OAuthErrorResponse(OAuthError(.invalidGrant, because: "spent")), context)
        }
        let answer = TokenResponse(
            accessToken: AccessToken(revealing: "access-for-\(next)"),
            expiresIn: 3600,
            refreshToken: RefreshToken(revealing: next)
        )
        // Late enough for every other process to ask in the meantime, if it did.
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        let handler = NIOLoopBound(self, eventLoop: context.value.eventLoop)
        context.value.eventLoop.scheduleTask(in: .milliseconds(300)) {
            handler.value.write(.ok, answer, context.value)
        }
    }

    private func write(_ status: HTTPResponseStatus, _ message: some Encodable, _ context: ChannelHandlerContext) {
        let body = (try? JSONEncoder().encode(message)).map(Array.init) ?? []
        let head = HTTPResponseHead(
            version: .http1_1,
            status: status,
            headers: ["content-type": "application/json", "content-length": "\(body.count)"]
        )
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
