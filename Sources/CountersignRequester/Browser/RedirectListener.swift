internal import Countersign
internal import CountersignNearby
internal import NIOCore

/// A port of this machine that the browser comes back to with the answer of a server.
///
/// It answers GET requests for one path and for its own address only: a page of another site can send the browser here,
/// and a name of another site can lead here (DNS rebinding). Nothing of a request is part of an answer. Each connection
/// carries one request, whose head has 16,384 bytes and ten seconds.
/// Standard: RFC 8252 §7.3, §8.3.
final class RedirectListener: Sendable {
    private static let longestHead = Duration.seconds(10)

    /// The address to come back to, with the port.
    let redirectURI: String
    /// The accepted addresses that came back, each after the person got the page that says so.
    let returns: AsyncStream<String>
    private let socket: ListeningSocket
    private let answering: Task<Void, Never>

    private init(
        _ socket: ListeningSocket,
        at redirectURI: String,
        returning returns: AsyncStream<String>,
        answering: Task<Void, Never>
    ) {
        self.socket = socket
        self.redirectURI = redirectURI
        self.returns = returns
        self.answering = answering
    }

    deinit { socket.close() }

    /// Listens at a port of this machine.
    ///
    /// - Parameters:
    ///   - port: The port; any that is free for 0.
    ///   - path: The path of the redirect URI; `/callback` by default.
    ///   - accept: Whether an address belongs to a sign-in; others are answered with 404.
    /// - Throws: ``SignInError`` `browser_not_opened` when the port cannot be used.
    static func start(
        port: UInt16 = 0,
        path: String = "/callback",
        accepting accept: @escaping @Sendable (String) async -> Bool
    ) async throws(SignInError) -> RedirectListener {
        let socket: ListeningSocket
        do {
            socket = try await ListeningSocket.bind(to: ["127.0.0.1"], port: port)
        } catch {
            let reason = port == 0 ? "no port of this machine is free" : "port \(port) of this machine cannot be used"
            throw SignInError(.browserNotOpened, because: reason)
        }
        let judgement = Judgement(authority: "127.0.0.1:\(socket.port)", path: path, accept: accept)
        let (returns, returned) = AsyncStream.makeStream(of: String.self)
        let answering = Task {
            await withDiscardingTaskGroup { group in
                for await connection in socket.connections {
                    group.addTask {
                        if let address = await Self.answer(connection, by: judgement) { returned.yield(address) }
                    }
                }
                group.cancelAll()
            }
            returned.finish()
        }
        let redirectURI = "http://\(judgement.authority)\(path)"
        return RedirectListener(socket, at: redirectURI, returning: returns, answering: answering)
    }

    /// Closes the port, and ends ``returns``.
    func stop() async {
        socket.close()
        answering.cancel()
        await answering.value
        try? await socket.channel.closeFuture.get()
    }

    /// The addresses that the listener accepts.
    private struct Judgement: Sendable {
        let authority: String
        let path: String
        let accept: @Sendable (String) async -> Bool

        /// The whole address of a request; `nil` when it belongs to no sign-in.
        func address(of request: RedirectRequest) async -> String? {
            let address = "http://\(authority)\(request.target)"
            guard request.asks(for: path, at: authority), await accept(address) else { return nil }
            return address
        }
    }

    /// Answers one request; returns its address if that was accepted.
    private static func answer(_ connection: any Channel, by judgement: Judgement) async -> String? {
        let late = connection.eventLoop.scheduleTask(in: TimeAmount(longestHead)) { connection.close(promise: nil) }
        defer { late.cancel() }
        guard let speaking = await connection.speaking() else { return nil }
        let address = try? await speaking.executeThenClose { inbound, outbound -> String? in
            var bytes: [UInt8] = []
            for try await part in inbound {
                bytes += part.readableBytesView
                switch RedirectRequest.read(bytes) {
                case .incomplete: continue
                case .malformed: return nil
                case .request(let request):
                    let address = await judgement.address(of: request)
                    try await outbound.write(ByteBuffer(string: RedirectAnswer.text(accepted: address != nil)))
                    return address
                }
            }
            return nil
        }
        return address ?? nil
    }
}

/// The answers of the listener: a page whatever came back, and the refusal of every other request.
private enum RedirectAnswer {
    static func text(accepted: Bool) -> String {
        let body = accepted ? page : "There is nothing here.\n"
        let type = accepted ? "text/html" : "text/plain"
        return """
            HTTP/1.1 \(accepted ? "200 OK" : "404 Not Found")\r
            Content-Type: \(type); charset=utf-8\r
            Content-Length: \(body.utf8.count)\r
            Cache-Control: no-store\r
            X-Content-Type-Options: nosniff\r
            Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r
            Referrer-Policy: no-referrer\r
            Connection: close\r
            \r
            \(body)
            """
    }

    private static let page = """
        <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
        <title>Back to the app</title>
        <h1>You can close this page</h1><p>Go back to the app; it says what came of the sign-in.</p></html>

        """
}
