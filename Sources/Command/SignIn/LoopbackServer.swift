internal import Hummingbird
internal import Logging
internal import NIOCore

/// A small server for a browser to come back to, on a port that only this machine reaches.
///
/// Standard: RFC 8252 §7.3.
struct LoopbackServer: Sendable {
    let responder: RouterResponder<BasicRequestContext>
    /// The port to listen on; any that is free for 0.
    let port: Int
    /// The sentence for the person when the port cannot be used.
    let refusal: String

    /// The sentence for a port that cannot be used.
    static func refusal(of port: Int) -> String {
        port == 0
            ? "The browser cannot come back to this machine: no port is free."
            : "The browser cannot come back to port \(port) of this machine: it is taken."
    }

    /// Runs `body` with the port while the server listens; it ends with `body`.
    ///
    /// - Throws: a ``CommandError`` when the port cannot be used; what `body` throws.
    func listening<Value: Sendable>(_ body: @escaping @Sendable (_ port: Int) async throws -> Value) async throws
        -> Value
    {
        let (running, ran) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            responder: responder,
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                ran.yield(channel.localAddress?.port ?? 0)
                ran.finish()
            },
            logger: Logger(label: "loopback") { _ in SwiftLogNoOpLogHandler() }
        )
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                do {
                    try await application.run()
                } catch {
                    ran.finish()
                    guard !Task.isCancelled else { return nil }
                    throw CommandError(refusal)
                }
                return nil
            }
            group.addTask {
                for await port in running { return try await body(port) }
                return nil
            }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw CancellationError()
        }
    }
}
