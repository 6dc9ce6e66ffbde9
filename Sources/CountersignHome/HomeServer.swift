#if !Server
#error("CountersignHome needs the package trait Server, which `traits: []` leaves out")
#endif

internal import CoreMetrics
internal import Countersign
internal import CountersignServer
internal import CountersignTesting
internal import CountersignTransport
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOEmbedded

/// The server of a home, without sockets: requests go through the gate and the routes of a server that listens.
struct HomeServer: Sendable {
    /// The address of the proxy that tells the addresses of all devices.
    static let proxy = "192.0.2.1"

    private let respond: @Sendable (Request) async throws -> Response
    /// The host of the server, and its port.
    let authority: String

    /// Starts a server over a store, which may have served another one before.
    init(
        _ settings: ServerSettings, keeping store: any Store, clock: ManualClock, random: SeededRandom
    ) async throws {
        let logger = Logger(label: "home", factory: { _ in SwiftLogNoOpLogHandler() })
        let server = try AuthorizationServer(
            settings,
            keeping: store,
            clock: clock.source,
            random: random.source,
            logger: logger,
            calling: ScriptedTransport(),
            measuring: NOOPMetricsHandler.instance
        )
        authority = String(settings.issuer.text.split(separator: "/").last ?? "")
        respond = try await Self.responding(server.application(listening: .hostname()), logger)
    }

    /// Answers one request.
    func answer(_ request: HomeRequest) async throws -> HTTPAnswer {
        var fields = request.fields
        if let forwarded = HTTPField.Name("X-Forwarded-For") { fields[forwarded] = request.address }
        let head = HTTPRequest(
            method: request.method, scheme: "http", authority: authority, path: request.path, headerFields: fields)
        let response = try await respond(
            Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: request.body))))
        let body = WrittenBody()
        try await response.body.write(body)
        return HTTPAnswer(response.head, body: body.bytes)
    }

    private static func responding<Base: ApplicationProtocol>(
        _ application: Base, _ logger: Logger
    ) async throws -> @Sendable (Request) async throws -> Response {
        let responder = try await application.responder
        return { request in
            let source = ApplicationRequestContextSource(channel: connection, logger: logger)
            return try await responder.respond(to: request, context: Base.Responder.Context(source: source))
        }
    }

    /// The connection of the proxy, over which no byte goes.
    private static let connection: NIOAsyncTestingChannel = {
        let channel = NIOAsyncTestingChannel()
        channel.remoteAddress = try? SocketAddress(ipAddress: proxy, port: 4711)
        return channel
    }()
}

/// The body of a response, as it is written.
private final class WrittenBody: ResponseBodyWriter {
    var bytes: [UInt8] = []

    func write(_ buffer: ByteBuffer) async throws { bytes += buffer.readableBytesView }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
