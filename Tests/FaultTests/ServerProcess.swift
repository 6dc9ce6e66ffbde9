import AsyncHTTPClient
import CountersignWire
import Foundation
import NIOCore
import NIOHTTP1
import TestShell

/// The server as a program of its own, over a database that the test can look into at the same time.
final class ServerProcess: Sendable {
    /// The base of its addresses: also where its issuer is called otherwise, this is where it listens.
    let base: String
    private let operations: String
    private let program: LoggedProgram

    /// Starts to serve the database of `fixture`, and returns when it answers.
    ///
    /// `wrapper` is put before the command in a shell line; `flags` after it.
    static func start(on fixture: DatabaseFixture, wrapper: String = "exec", flags: String = "") async throws
        -> ServerProcess
    {
        let program = try launch(on: fixture, wrapper: wrapper, flags: "\(fixture.flags) \(flags)")
        let addresses = try await program.firstPrinted { ServedAddresses(printed: $0, operations: true) }
        return ServerProcess(program, at: addresses)
    }

    /// Runs until it ends by itself, because it must not start; returns what it says and its status.
    ///
    /// `flags` say where the database is, when it is not the fixture's own.
    static func refusal(
        on fixture: DatabaseFixture,
        wrapper: String = "exec",
        flags: String? = nil
    ) async throws -> (status: Int32, said: String) {
        let ended = try await launch(on: fixture, wrapper: wrapper, flags: flags ?? fixture.flags).ended()
        return (ended.status, ended.printed)
    }

    private static func launch(on fixture: DatabaseFixture, wrapper: String, flags: String) throws -> LoggedProgram {
        try LoggedProgram(
            "/bin/sh",
            [
                "-c",
                """
                \(wrapper) \(BuiltPrograms.command.path) serve --listen 127.0.0.1:0 \
                --operations-listen 127.0.0.1:0 \(flags)
                """,
            ],
            printingTo: fixture.directory.appendingPathComponent("log-\(UUID().uuidString.prefix(8))")
        )
    }

    private init(_ program: LoggedProgram, at addresses: ServedAddresses) {
        self.program = program
        base = "http://\(addresses.listening)"
        operations = "http://\(addresses.operations ?? addresses.listening)"
    }

    deinit { kill() }

    /// The port that it listens on.
    var port: Int { URL(string: base)?.port ?? 0 }

    /// Its resident memory in bytes. Standard: proc_pid_statm(5).
    var resident: Int {
        get throws {
            let text = try String(contentsOfFile: "/proc/\(program.number)/statm", encoding: .utf8)
            guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
                throw LoggedProgram.NeverPrinted("no memory in \(text)")
            }
            return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
        }
    }

    /// All that it has printed so far.
    var printed: String { program.printed }

    /// Ends it as a loss of power would, and waits until it is gone.
    func kill() { program.kill() }

    /// Tells it to end, which a server with `--drain-time` announces first, and returns when it has.
    func drain() async throws {
        program.signal(SIGTERM)
        _ = try await program.printed { $0.contains("message=draining") }
    }

    /// Tells it to end, and waits until it has.
    func stop() async throws -> Int32 {
        program.signal(SIGTERM)
        return try await program.ended().status
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
        try await Self.post(path, form, prefer: prefer, at: base)
    }

    /// Posts a form to what answers at `base`.
    static func post(_ path: String, _ form: Form, prefer: String? = nil, at base: String) async throws -> Answer {
        var request = HTTPClientRequest(url: base + path)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        if let prefer { request.headers.add(name: "prefer", value: prefer) }
        request.body = .bytes(ByteBuffer(string: form.encoded))
        let response = try await client.execute(request, timeout: .seconds(120))
        return Answer(
            status: response.status.code,
            body: Array((try await response.body.collect(upTo: 1 << 20)).readableBytesView)
        )
    }

    /// Waits until as many requests as `count` are held open; gives up after many looks.
    func holds(_ count: Int) async throws {
        let figure = "\ncountersign_requests_waiting \(count)\n"
        for _ in 0..<2400 {
            let figures = try await get("/metrics", at: operations)
            if String(decoding: figures.body, as: UTF8.self).contains(figure) { return }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw LoggedProgram.NeverPrinted("never was there \(figure)")
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
