import AsyncHTTPClient
import Countersign
import CountersignServer
import CountersignWire
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Testing

/// The program of `Examples/RadioServices`, against a provider that knows three tokens by heart.
@Suite("The radio services of the examples", .serialized)
struct RadioServicesTests {
    @Test func `let in who has a token of their own domain`() async throws {
        try await atServices { news, music async throws in
            #expect(try await get(news, "/now", "radio") == (200, "\(news) plays a song for everybody\n"))
            #expect(try await get(news, "/now", "anna") == (200, "\(news) plays a song for Anna\n"))
            #expect(try await get(music, "/now", "anna").status == 401)
            #expect(try await get(music, "/now", "berta") == (200, "\(music) plays a song for Berta\n"))
            #expect(try await get(news, "/now", nil).status == 401)
        }
    }

    @Test func `keep favourites for people`() async throws {
        try await atServices { news, _ async throws in
            #expect(try await get(news, "/favourites", "radio").status == 401)
            #expect(try await get(news, "/favourites", "anna") == (200, "The favourites of anna-1 at \(news)\n"))
        }
    }

    @Test func `let nobody in whose domain the provider does not know`() async throws {
        try await atServices(withWrongCredentials: true) { news, _ async throws in
            #expect(try await get(news, "/now", "anna").status == 503)
        }
    }

    // MARK: Fixture

    private func atServices(
        withWrongCredentials: Bool = false,
        _ body: (_ news: String, _ music: String) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(component: "countersign-example-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        // A service is called by its port, so the provider has to know the ports before anybody listens.
        let ports = try (1...3).map { _ in try ReservedPort(at: SocketAddress(ipAddress: "127.0.0.1", port: 0)) }
        defer { withExtendedLifetime(ports) {} }
        let (news, music) = ("127.0.0.1:\(ports[0].number)", "127.0.0.1:\(ports[1].number)")
        let port = ports[2].number
        let known = ["radio": news, "anna": news, "berta": music]

        let provider = ServiceGroup(
            configuration: .init(
                services: [.init(service: Self.provider(knowing: known, at: port))], logger: Self.silent)
        )
        let running = Task { try await provider.run() }
        defer { running.cancel() }
        let credential = withWrongCredentials ? "wrong" : "right"
        let program = try ExampleProgram(
            "RadioServices",
            ["http://127.0.0.1:\(port)/cpa"],
            reading: "\(news) \(credential)\n\(music) \(credential)\n",
            in: directory
        )
        defer { program.stop() }
        for address in ["127.0.0.1:\(port)", news, music] { try await ExampleProgram.answers(address) }
        try await body(news, music)
        await provider.triggerGracefulShutdown()
        try await running.value
    }

    private static func provider(knowing known: [String: String], at port: Int) -> some ApplicationProtocol {
        let router = Router()
        router.post("cpa/authorized") { request, context in
            guard request.headers[.authorization] == "Bearer right" else {
                return Response(status: .unauthorized, body: .init(byteBuffer: ByteBuffer(string: "{}")))
            }
            let members = try TextMembers(parsing: try await request.body.collect(upTo: 4096).readableBytesView)
            let token = members["access_token"] ?? ""
            guard known[token] == members["domain"] else {
                let body = ByteBuffer(string: #"{"error":"not_found"}"#)
                return Response(status: .notFound, body: .init(byteBuffer: body))
            }
            let body =
                token == "radio"
                ? #"{"client_id":7}"#
                : #"{"client_id":7,"user_id":"\#(token)-1","display_name":"\#(token.capitalized)"}"#
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: body)))
        }
        return Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            logger: silent
        )
    }

    private static let silent = Logger(label: "example") { _ in SwiftLogNoOpLogHandler() }

    private func get(_ address: String, _ path: String, _ token: String?) async throws -> (status: Int, text: String) {
        var request = HTTPClientRequest(url: "http://\(address)\(path)")
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        let body = try await response.body.collect(upTo: 1 << 16)
        return (Int(response.status.code), String(buffer: body))
    }
}
