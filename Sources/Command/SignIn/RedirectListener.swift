internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOConcurrencyHelpers
internal import NIOCore

/// A port of this machine that the browser comes back to with the answer of a server.
///
/// It answers requests for one path and for its own address only: a page of another site can send the browser here, and
/// a name of another site can lead here (DNS rebinding). Nothing of a request is part of an answer.
/// Standard: RFC 8252 §7.3, §8.3.
struct RedirectListener: Sendable {
    /// The path of the redirect URI, which is registered as `http://127.0.0.1/callback`.
    static let path = "/callback"

    /// The port to listen on; any that is free for 0.
    var port = 0

    /// Runs `body` with the redirect URI of this listener, while it listens.
    ///
    /// - Parameters:
    ///   - judge: Classifies the address that the browser came back with; `nil` if it matches no request, which the
    ///     listener answers with 404 and ignores.
    ///   - body: Receives the redirect URI and the accepted answers; the listener ends with it.
    func listening<Answer: Sendable, Value: Sendable>(
        judging judge: @escaping @Sendable (_ address: String, _ redirectURI: String) async -> Answer?,
        _ body: @escaping @Sendable (_ redirectURI: String, _ answers: AsyncStream<Answer>) async throws -> Value
    ) async throws -> Value {
        let (answers, found) = AsyncStream.makeStream(of: Answer.self)
        let router = Router()
        let listeningAt = NIOLockedValueBox<String?>(nil)
        router.get(RouterPath(Self.path)) { request, _ -> Response in
            guard let own = listeningAt.withLockedValue(\.self), request.head.authority == own,
                let answer = await judge("http://\(own)\(request.uri.string)", "http://\(own)\(Self.path)")
            else { return Self.notFound }
            // The person reads the page before the program continues, and possibly ends.
            return Self.page { found.yield(answer) }
        }
        let server = LoopbackServer(
            responder: router.buildResponder(), port: port, refusal: LoopbackServer.refusal(of: port))
        return try await server.listening { port in
            listeningAt.withLockedValue { $0 = "127.0.0.1:\(port)" }
            return try await body("http://127.0.0.1:\(port)\(Self.path)", answers)
        }
    }

    private static let notFound = Response(
        status: .notFound,
        headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: "There is nothing here.\n"))
    )

    /// The same page whatever the answer is: the terminal says what came of it.
    private static func page(then act: @escaping @Sendable () -> Void) -> Response {
        let text = """
            <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>Back to the terminal</title>
            <h1>You can close this page</h1><p>Go back to the terminal; it says what came of the sign-in.</p></html>

            """
        let words = ByteBuffer(string: text)
        var fields: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'", .connection: "close",
        ]
        if let policy = HTTPField.Name("Referrer-Policy") { fields[policy] = "no-referrer" }
        return Response(
            status: .ok,
            headers: fields,
            body: ResponseBody(contentLength: words.readableBytes) { writer in
                try await writer.write(words)
                try await writer.finish(nil)
                act()
            }
        )
    }
}
