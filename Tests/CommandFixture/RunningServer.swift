import AsyncHTTPClient
import Countersign
import CountersignSQLite
import CountersignServer
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import TestShell

/// A server that runs as a program of its own, with a ready client and person.
package struct RunningServer: Sendable {
    package static let password = "correct horse battery"

    package let command: CommandUnderTest
    package let serving: RunningCommand
    package let base: String
    /// The base of its addresses for operators, as `http://127.0.0.1:9090`.
    package let operations: String

    package static func start(_ flags: String = "") async throws -> RunningServer {
        let command = try CommandUnderTest()
        _ = try await command.run("countersign admin client add tv --name 'Living room TV'")
        try await addAnna(to: command)
        let serving = try command.start(
            "exec countersign serve --listen 127.0.0.1:0 --operations-listen 127.0.0.1:0 \(flags)"
        )
        let addresses = try await serving.addresses(operations: true)
        return RunningServer(
            command: command,
            serving: serving,
            base: "http://\(addresses.listening)",
            operations: "http://\(addresses.operations ?? "")"
        )
    }

    /// Adds the person, as `admin user add` does, but with a cheap hash of the password: the usual one takes a second
    /// of each run and of each sign-in, and no story depends on it.
    private static func addAnna(to command: CommandUnderTest) async throws {
        let store = try SQLiteStore.open(in: command.home.appendingPathComponent("data/countersign"))
        let hasher = PasswordHasher(cost: PasswordCost(logN: 4), drawingFrom: .system, on: .singleton)
        let anna = Person(
            subject: CodeMint(drawingFrom: .system).identifier(),
            username: Username(rawValue: "anna"),
            name: "Anna Example",
            password: try await hasher.hash(Password(revealing: password)),
            created: TimeSource.system.now()
        )
        try await store.change { try $0.people.insert(anna) }
        try await store.close()
    }

    /// The line that signs the TV in by a code alone: no phone of another test that is nearby is looked for.
    package var signInLine: String { "countersign signin --issuer \(base) --client tv --only code" }

    /// Posts a form and returns status and body.
    package func post(_ path: String, _ form: String) async throws -> (status: UInt, body: String) {
        var request = HTTPClientRequest(url: base + path)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(ByteBuffer(string: form))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        return (response.status.code, String(buffer: try await response.body.collect(upTo: 1 << 20)))
    }

    /// Runs `countersign admin` beside the server, and returns when the server goes by what it changed.
    ///
    /// The server looks for changes of other programs several times a second, and before each change of its own; so it
    /// makes one.
    @discardableResult
    package func administer(_ words: String) async throws -> CommandUnderTest.Outcome {
        let outcome = try await command.run("countersign admin \(words)")
        _ = try await deviceCode()
        return outcome
    }

    /// Begins a sign-in at the TV, and returns its device code.
    package func deviceCode() async throws -> Substring {
        let codes = try await post("/device_authorization", "client_id=tv").body
        guard let found = codes.firstMatch(of: /"device_code":"([^"]+)"/) else {
            throw RunningCommand.NeverPrinted(text: "device_code")
        }
        return found.1
    }

    /// Polls as the TV at a server, which may hold the poll for so many seconds; returns the body of the answer.
    package static func poll(at base: String, _ code: Substring, wait: Int = 30) async throws -> String {
        var request = HTTPClientRequest(url: "\(base)/token")
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        if wait > 0 { request.headers.add(name: "prefer", value: "wait=\(wait)") }
        let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
        request.body = .bytes(ByteBuffer(string: "client_id=tv&grant_type=\(grant)&device_code=\(code)"))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        return String(buffer: try await response.body.collect(upTo: 1 << 20))
    }

    /// Asks the listener for its operators.
    package func ask(_ path: String) async throws -> (status: UInt, body: String) {
        let request = HTTPClientRequest(url: operations + path)
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        return (response.status.code, String(buffer: try await response.body.collect(upTo: 1 << 20)))
    }

    /// Waits until one of its figures has this value; gives up after many looks.
    package func shows(_ figure: String, _ value: Int) async throws {
        for _ in 0..<1200 {
            if try await ask("/metrics").body.contains("\n\(figure) \(value)\n") { return }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw RunningCommand.NeverPrinted(text: "\(figure) \(value)")
    }

    package func stop() async throws -> CommandUnderTest.Outcome {
        serving.signal(SIGTERM)
        return try await serving.finish()
    }
}
