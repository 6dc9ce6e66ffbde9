#if os(Linux)
import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

@testable import CountersignRequester

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

import FoundationEssentialsCompat

@Suite("An answer that is lost on the way", .timeLimit(.minutes(10)))
struct LostAnswerTests {
    static let tokens = #"{"access_token":"the-token","token_type":"Bearer","expires_in":3600}"#

    /// The acts of a server that loses its answer to a request that it has read whole.
    static let losses: [RawServer.Act] = [
        .reset(after: ""),
        .close(after: ""),
        .reset(after: "HTTP/1.1 200 OK\r\ncontent-type: applic"),
        .close(after: "HTTP/1.1 200 OK\r\ncontent-type: applic"),
        .reset(after: "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n\(tokens)"),
        .close(after: "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n\(tokens)"),
        .close(after: "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 68\r\n\r\n{\"access"),
        .close(
            after: "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
                + "44\r\n\(tokens)\r\n"
        ),
        .reset(
            after: "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n44\r\n{\"acc"
        ),
        .close(after: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nnonsense\r\n"),
        .close(after: "What is this?\r\n\r\n"),
    ]

    @Test(arguments: losses)
    func `is no answer, and no server that was not reached`(act: RawServer.Act) async throws {
        try await RawServer.with([act]) { server in
            let error = await #expect(throws: TransportError.self) {
                try await AsyncHTTPTransport().send(
                    Self.request(at: server.place), body: [0x61], within: .seconds(86_400))
            }
            #expect(error == TransportError(.interrupted, because: ""))
            #expect(error?.mayHaveArrived == true)
            #expect(server.requests.count == 1, "and the transport does not repeat it")
        }
    }

    @Test func `is told from a server to which no connection came about`() async throws {
        // A port that is taken and not listened at refuses, and nobody else gets it meanwhile.
        let taken = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(taken) }
        let place = "127.0.0.1:\(try Self.boundPort(of: taken))"
        let error = await #expect(throws: TransportError.self) {
            try await AsyncHTTPTransport().send(Self.request(at: place), body: [0x61], within: .seconds(86_400))
        }
        #expect(error == TransportError(.notReached, because: ""))
        #expect(error?.mayHaveArrived == false)
    }

    /// Binds a socket to a free port of this machine, and returns the port.
    private static func boundPort(of descriptor: Int32) throws -> Int {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let outcome = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                bind(descriptor, plain, length) == 0 ? getsockname(descriptor, plain, &length) : -1
            }
        }
        try #require(outcome == 0)
        return Int(address.sin_port.bigEndian)
    }

    @Test func `is told from a server that cannot prove who it is`() async throws {
        try await RawServer.with([.close(after: "What is this?\r\n\r\n")], speaksAtOnce: true) { server in
            let error = await #expect(throws: TransportError.self) {
                var request = Self.request(at: server.place)
                request.scheme = "https"
                return try await AsyncHTTPTransport().send(request, body: [0x61], within: .seconds(86_400))
            }
            #expect(error == TransportError(.notTrusted, because: ""))
            #expect(error?.mayHaveArrived == false)
        }
    }

    @Test(arguments: losses)
    func `is asked for again with the same code, and no person is asked twice`(act: RawServer.Act) async throws {
        let codes = #"""
            {"device_code":"the-code","user_code":"WDJB-MJHT","verification_uri":"http://localhost/a","expires_in":600,\#
            "interval":5}
            """#
        let acts: [RawServer.Act] = [.metadata, .json(codes), act, .json(Self.tokens)]
        try await RawServer.with(acts) { server in
            let clock = ManualClock()
            var options = SignInOptions()
            options.wait = nil
            options.timeLimit = .seconds(600)
            (options.showsNumber, options.renewsLink) = (false, false)
            let signIn = SignIn(
                at: try Issuer("http://\(server.place)"),
                as: "radio",
                for: .none,
                on: SignInScreen(),
                options: options,
                in: RequesterContext(over: AsyncHTTPTransport(), clock: clock.skipping, random: .system)
            )
            let start = clock.date
            let signedIn = try await signIn.run { _ in .continue }
            #expect(signedIn.accessToken == AccessToken(revealing: "the-token"))
            let asked = server.requests
            #expect(asked.map(\.path) == [RawServer.metadataPath, "/device_authorization", "/token", "/token"])
            #expect(asked[2].body.contains("device_code=the-code") && asked[2].body == asked[3].body)
            // Two rests of 5 s: the second request for the tokens comes within the 10 s of the server.
            #expect(clock.date == start + 10)
        }
    }

    @Test(arguments: losses)
    func `is asked for again with the same refresh token, and nobody is signed out`(act: RawServer.Act) async throws {
        try await RawServer.with([.metadata, act, .json(Self.tokens)]) { server in
            let clock = ManualClock()
            let store = MemoryTokenStore()
            let issuer = try Issuer("http://\(server.place)")
            let old = CompletedSignIn(
                accessToken: AccessToken(revealing: "old"),
                refreshToken: RefreshToken(revealing: "spent-once"),
                expires: clock.date,
                scope: .none,
                identity: nil
            )
            try await store.save(old, for: .signIn(at: issuer, as: ClientID("radio")))
            let tokens = TokenRefresher(
                at: issuer,
                as: ClientID("radio"),
                keepingTokensIn: store,
                in: RequesterContext(over: AsyncHTTPTransport(), clock: clock.skipping, random: .system)
            )
            let start = clock.date
            #expect(try await tokens.signedIn().accessToken == AccessToken(revealing: "the-token"))
            let asked = server.requests
            #expect(asked.count == 3 && asked[1].body == asked[2].body)
            #expect(asked[1].body.contains("refresh_token=spent-once"))
            #expect(clock.date == start, "at once")
        }
    }

    private static func request(at place: String) -> HTTPRequest {
        HTTPRequest(method: .post, scheme: "http", authority: place, path: "/token")
    }
}

/// A server that reads each request whole, and then does with the connection what a test wrote down.
final class RawServer: Sendable {
    enum Act: Sendable, CustomTestStringConvertible {
        /// Sends these bytes, and resets the connection.
        case reset(after: String)
        /// Sends these bytes, and closes the connection.
        case close(after: String)
        /// Answers with JSON.
        case json(String)
        /// Describes itself as an authorization server.
        case metadata

        var testDescription: String {
            switch self {
            case .reset(let bytes): "reset after \(bytes.utf8.count) bytes"
            case .close(let bytes): "close after \(bytes.utf8.count) bytes"
            case .json: "an answer"
            case .metadata: "metadata"
            }
        }
    }

    struct Received: Sendable {
        let path: String
        let body: String
    }

    static let metadataPath = "/.well-known/oauth-authorization-server"

    private struct State {
        var acts: [Act]
        var place = ""
        var requests: [Received] = []
    }

    private let state: NIOLockedValueBox<State>

    private init(_ acts: [Act]) {
        state = NIOLockedValueBox(State(acts: acts))
    }

    /// Host and port.
    var place: String { state.withLockedValue(\.place) }
    /// The requests so far.
    var requests: [Received] { state.withLockedValue(\.requests) }

    /// Gives `body` a server that does `acts` in turn, and closes it afterwards.
    static func with<Value: Sendable>(
        _ acts: [Act],
        speaksAtOnce: Bool = false,
        _ body: @Sendable (RawServer) async throws -> Value
    ) async throws -> Value {
        let server = RawServer(acts)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if speaksAtOnce {
                        try channel.pipeline.syncOperations.addHandler(EarlyResponder(server))
                    } else {
                        try channel.pipeline.syncOperations.addHandler(
                            ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
                        try channel.pipeline.syncOperations.addHandler(Reader(server))
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.state.withLockedValue { $0.place = "127.0.0.1:\(channel.localAddress?.port ?? 0)" }
        do {
            let value = try await body(server)
            try await channel.close()
            return value
        } catch {
            try? await channel.close()
            throw error
        }
    }

    fileprivate func next(_ received: Received?) -> Act {
        state.withLockedValue { state in
            if let received { state.requests.append(received) }
            return state.acts.isEmpty ? .close(after: "") : state.acts.removeFirst()
        }
    }

    fileprivate func perform(_ act: Act, on context: ChannelHandlerContext) {
        switch act {
        case .json(let text):
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: \(text.utf8.count)\r\n\r\n"
            context.writeAndFlush(NIOAny(ByteBuffer(string: head + text)), promise: nil)
        case .metadata:
            let place = "http://\(place)"
            let text = """
                {"issuer":"\(place)","token_endpoint":"\(place)/token",\
                "device_authorization_endpoint":"\(place)/device_authorization"}
                """
            perform(.json(text), on: context)
        case .close(let bytes):
            send(bytes, on: context)
        case .reset(let bytes):
            // Data may be thrown away by a reset, which is what a lost answer is.
            let now = linger(l_onoff: 1, l_linger: 0)
            guard let socket = context.channel as? any SocketOptionProvider else { return context.close(promise: nil) }
            let channel = context.channel
            socket.setSoLinger(now).whenComplete { _ in
                channel.writeAndFlush(ByteBuffer(string: bytes)).whenComplete { _ in channel.close(promise: nil) }
            }
        }
    }

    private func send(_ bytes: String, on context: ChannelHandlerContext) {
        let channel = context.channel
        channel.writeAndFlush(ByteBuffer(string: bytes)).whenComplete { _ in channel.close(promise: nil) }
    }
}

/// Reads whole requests.
private final class Reader: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let server: RawServer
    private var path = ""
    private var body = ""

    init(_ server: RawServer) {
        self.server = server
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): (path, body) = (head.uri, "")
        case .body(let part): body += String(buffer: part)
        case .end: server.perform(server.next(RawServer.Received(path: path, body: body)), on: context)
        }
    }
}

/// Speaks as soon as it hears anything.
private final class EarlyResponder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let server: RawServer

    init(_ server: RawServer) {
        self.server = server
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        server.perform(server.next(nil), on: context)
    }
}
#endif
