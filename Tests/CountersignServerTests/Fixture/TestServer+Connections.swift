import CountersignWire
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded

@testable import CountersignServer

extension TestServer {
    /// Asks on a connection of the test's own, which has an address and can be closed.
    func post(
        _ path: String,
        _ form: Form,
        headers: HTTPFields = [:],
        on channel: NIOAsyncTestingChannel
    ) async throws -> Response {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await send(.post, path, headers: headers, body: ByteBuffer(string: form.encoded), on: channel)
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: HTTPFields = [:],
        body: ByteBuffer = ByteBuffer(),
        on channel: NIOAsyncTestingChannel
    ) async throws -> Response {
        let request = Request(
            head: HTTPRequest(
                method: method,
                scheme: "http",
                authority: issuer.host,
                path: path,
                headerFields: headers
            ),
            body: RequestBody(buffer: body)
        )
        let source = ApplicationRequestContextSource(channel: channel, logger: Logger(label: "test"))
        return try await server.answering().0.respond(
            to: request,
            context: ServerRequestContext(source: source)
        )
    }
}

extension Response {
    /// The bytes of its body, as they are written.
    func bytes() async throws -> [UInt8] {
        let collected = CollectedBody()
        try await body.write(collected)
        return collected.bytes
    }
}

private final class CollectedBody: ResponseBodyWriter {
    var bytes: [UInt8] = []

    func write(_ buffer: ByteBuffer) async throws {
        bytes += buffer.readableBytesView
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
