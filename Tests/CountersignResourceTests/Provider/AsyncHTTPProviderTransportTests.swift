import CountersignResource
import CountersignWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@Suite("The network of a service")
struct AsyncHTTPProviderTransportTests {
    private func atServer<Value: Sendable>(
        _ test: @escaping @Sendable (_ port: Int) async throws -> Value
    ) async throws -> Value {
        let router = Router()
        router.post("echo") { request, _ in
            Response(
                status: .accepted,
                headers: [.contentType: request.headers[.contentType] ?? "none", .location: request.uri.path],
                body: ResponseBody(byteBuffer: try await request.body.collect(upTo: 1 << 16))
            )
        }
        router.get("away") { _, _ in Response(status: .found, headers: [.location: "/echo"]) }
        router.get("endless") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    let part = ByteBuffer(repeating: 0x20, count: 1 << 16)
                    while true { try await writer.write(part) }
                }
            )
        }
        router.get("never") { _, _ in
            try await Task.sleep(for: .seconds(60))
            return Response(status: .ok)
        }
        return try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
            .test(.live) { client in try await test(try #require(client.port)) }
    }

    private func send(_ method: HTTPRequest.Method, _ path: String, port: Int, within limit: Duration = .seconds(20))
        async throws -> ProviderAnswer
    {
        var request = try Endpoint("http://127.0.0.1:\(port)\(path)").request(method)
        request.headerFields[.contentType] = "text/plain"
        return try await AsyncHTTPProviderTransport().send(
            request,
            body: method == .post ? Array("hello".utf8) : [],
            within: limit
        )
    }

    @Test func `carries a question there and an answer back`() async throws {
        let answer = try await atServer { try await send(.post, "/echo", port: $0) }
        #expect(answer.response.status == .accepted)
        #expect(answer.response.headerFields[.contentType] == "text/plain")
        #expect(answer.body == Array("hello".utf8))
    }

    @Test func `follows no redirect`() async throws {
        let answer = try await atServer { try await send(.get, "/away", port: $0) }
        #expect(answer.response.status == .found)
    }

    @Test func `takes in no body without an end`() async throws {
        await #expect(throws: (any Error).self) { try await atServer { try await send(.get, "/endless", port: $0) } }
    }

    @Test func `waits no longer than it is told`() async throws {
        await #expect(throws: (any Error).self) {
            try await atServer { try await send(.get, "/never", port: $0, within: .milliseconds(100)) }
        }
    }
}
