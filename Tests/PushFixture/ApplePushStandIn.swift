package import CountersignTransport
import CountersignWire
package import Crypto
import Foundation
package import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import ServiceLifecycle

/// Plays Apple Push Notification service on a port of this machine: HTTP/2 over TLS, and no message without a provider
/// token that is right.
package actor ApplePushStandIn {
    /// A message that came.
    package struct Received: Sendable {
        package let device: String
        package let fields: HTTPFields
        package let body: [UInt8]
        package let isHTTP2: Bool
        /// The port of the other end of its connection.
        package let port: Int?

        package func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }

        /// A member of the body.
        package func member(_ name: String) -> Any? {
            (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])?[name]
        }
    }

    let key: P256.Signing.PublicKey
    let keyID: String
    let team: String
    package private(set) var received: [Received] = []
    /// The messages that were accepted, as they come.
    package nonisolated let accepted: AsyncStream<Received>
    private let accepting: AsyncStream<Received>.Continuation
    /// The statuses and reasons of the next refusals of messages.
    private var refusals: [(Int, String)] = []

    package init(key: P256.Signing.PublicKey, keyID: String, team: String) {
        self.key = key
        self.keyID = keyID
        self.team = team
        (accepted, accepting) = AsyncStream.makeStream()
    }

    package func refuse(_ status: Int, _ reason: String) { refusals.append((status, reason)) }

    private struct Header: Decodable {
        let alg, kid: String
    }
    private struct Claims: Decodable {
        let iss: String
        let iat: Int
    }

    /// Status and reason of the answer.
    fileprivate func answer(_ message: Received) -> (Int, String?) {
        received.append(message)
        guard let token = message.fields[.authorization], token.hasPrefix("bearer "),
            let parts = CompactJWS(String(token.dropFirst(7))),
            let header = try? JSONDecoder().decode(Header.self, from: Data(parts.headerBytes)),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(parts.payload)),
            header.alg == "ES256", header.kid == keyID, claims.iss == team,
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: parts.signature),
            key.isValidSignature(signature, for: parts.signedBytes)
        else { return (403, "InvalidProviderToken") }
        guard refusals.isEmpty else { return refusals.removeFirst() }
        accepting.yield(message)
        return (200, nil)
    }

    /// Runs the service while `test` runs, which gets its address and a network that trusts it, and that asks `accepts`
    /// besides where that is given.
    package static func run(
        _ standIn: ApplePushStandIn,
        checking accepts: CertificateCheck? = nil,
        _ test: @escaping @Sendable (String, any HTTPTransport) async throws -> Void
    ) async throws {
        let identity = try TestCertificate()
        let file = try identity.written()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let router = Router(context: PushContext.self)
        router.post("3/device/:token") { request, context -> Response in
            let body = try await request.body.collect(upTo: 8192)
            let message = Received(
                device: context.parameters.get("token") ?? "",
                fields: request.headers,
                body: Array(body.readableBytesView),
                isHTTP2: context.isHTTP2,
                port: context.port
            )
            let (status, reason) = await standIn.answer(message)
            let text = reason.map { "{\"reason\":\"\($0)\"}" } ?? ""
            return Response(
                status: HTTPResponse.Status(code: status),
                body: ResponseBody(byteBuffer: ByteBuffer(string: text))
            )
        }
        let (ports, announcing) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router,
            server: try .http2Upgrade(tlsConfiguration: try identity.configuration()),
            configuration: .init(address: .hostname("localhost", port: 0)),
            onServerRunning: { channel in announcing.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "push", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: application)],
                logger: Logger(label: "push", factory: { _ in SwiftLogNoOpLogHandler() })
            )
        )
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var port = 0
            for await announced in ports {
                port = announced
                break
            }
            do {
                let network = AsyncHTTPTransport(trustingFile: file, checking: accepts, offeringHTTP2: true)
                try await test("https://localhost:\(port)", network)
            } catch {
                tasks.cancelAll()
                throw error
            }
            tasks.cancelAll()
        }
    }
}

private struct PushContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let isHTTP2: Bool
    let port: Int?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        port = (source.channel.parent ?? source.channel).remoteAddress?.port
        isHTTP2 = String(describing: type(of: source.channel)).contains("HTTP2")
    }
}
