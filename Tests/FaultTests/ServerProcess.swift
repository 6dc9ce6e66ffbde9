import AsyncHTTPClient
import CountersignWire
import Foundation
import NIOCore
import NIOHTTP1
import TestShell

/// The server as a program of its own, over a database that the test can look into at the same time.
final class ServerProcess: Sendable {
    let base: String
    private let operations: Int
    private let process: RunningProgram
    private let log: URL

    /// Starts to serve the database of `stage`, and returns when it answers.
    ///
    /// `wrapper` is put before the command in a shell line; `flags` after it.
    static func start(on stage: Stage, wrapper: String = "exec", flags: String = "") async throws -> ServerProcess {
        let server = try ServerProcess(on: stage, wrapper: wrapper, flags: "\(stage.flags) \(flags)")
        _ = try await server.said { $0.contains("press Ctrl-C") }
        return server
    }

    /// Runs until it ends by itself, because it must not start; returns what it says and its status.
    ///
    /// `flags` say where the database is, when it is not the stage's own.
    static func refusal(
        on stage: Stage,
        wrapper: String = "exec",
        flags: String? = nil
    ) async throws -> (status: Int32, said: String) {
        let server = try ServerProcess(on: stage, wrapper: wrapper, flags: flags ?? stage.flags)
        guard let status = try await server.process.ended() else { throw NeverSaid(text: server.printed) }
        return (status, server.printed)
    }

    private init(on stage: Stage, wrapper: String, flags: String) throws {
        let port = try FreePort.find()
        operations = try FreePort.find()
        base = "http://127.0.0.1:\(port)"
        log = stage.directory.appendingPathComponent("log-\(port)")
        process = try RunningProgram(
            "/bin/sh",
            [
                "-c",
                """
                \(wrapper) \(BuiltPrograms.command.path) serve --listen 127.0.0.1:\(port) \
                --operations-listen 127.0.0.1:\(operations) \(flags)
                """,
            ],
            printing: .file(log)
        )
    }

    deinit { kill() }

    /// All that it has printed so far.
    var printed: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// Waits until it has printed what is awaited.
    func said(_ condition: (String) -> Bool) async throws -> String {
        for _ in 0..<1200 {
            let text = printed
            if condition(text) { return text }
            guard process.isRunning else { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw NeverSaid(text: printed)
    }

    struct NeverSaid: Error {
        let text: String
    }

    /// Ends it as a loss of power would, and waits until it is gone.
    func kill() { process.kill() }

    /// Tells it to end, and waits until it has.
    func stop() -> Int32 {
        process.signal(SIGTERM)
        while true {
            if let status = process.status { return status }
            usleep(5_000)
        }
    }

    /// Asks once and no more: whoever asks a server that is gone must learn of it at once.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// An answer to a form.
    struct Answer: Sendable {
        let status: UInt
        let body: [UInt8]

        func read<Message: Decodable>(_ type: Message.Type = Message.self) throws -> Message {
            try JSONDecoder().decode(type, from: Data(body))
        }

        var error: OAuthError.Code? { try? read(OAuthErrorResponse.self).error }
    }

    /// Posts a form.
    func post(_ path: String, _ form: Form, prefer: String? = nil) async throws -> Answer {
        var request = HTTPClientRequest(url: base + path)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        if let prefer { request.headers.add(name: "prefer", value: prefer) }
        request.body = .bytes(ByteBuffer(string: form.encoded))
        let response = try await Self.client.execute(request, timeout: .seconds(120))
        return Answer(
            status: response.status.code,
            body: Array((try await response.body.collect(upTo: 1 << 20)).readableBytesView)
        )
    }

    /// Waits until as many requests as `count` are held open; gives up after many looks.
    func holds(_ count: Int) async throws {
        let figure = "\ncountersign_requests_waiting \(count)\n"
        for _ in 0..<2400 {
            let figures = try await get("/metrics", at: "http://127.0.0.1:\(operations)")
            if String(decoding: figures.body, as: UTF8.self).contains(figure) { return }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw NeverSaid(text: figure)
    }

    /// Fetches a page or document.
    func get(_ path: String) async throws -> Answer { try await get(path, at: base) }

    private func get(_ path: String, at base: String) async throws -> Answer {
        let response = try await Self.client.execute(HTTPClientRequest(url: base + path), timeout: .seconds(120))
        return Answer(
            status: response.status.code,
            body: Array((try await response.body.collect(upTo: 1 << 20)).readableBytesView)
        )
    }
}
