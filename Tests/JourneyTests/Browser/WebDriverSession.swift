import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// One session at a driver: commands go out as HTTP requests, values or the driver's errors come back.
///
/// Standard: W3C WebDriver, Protocol.
struct WebDriverSession: Sendable {
    private let driver: String
    private let id: String

    /// Waits until the driver is ready, then opens a session with the capabilities.
    static func open(port: Int, capabilities: JSONValue) async throws -> WebDriverSession {
        let driver = "http://127.0.0.1:\(port)"
        try await ready(driver)
        let value = try await send(
            .POST,
            to: driver,
            path: "/session",
            ["capabilities": ["alwaysMatch": capabilities]]
        )
        guard let id = value["sessionId"]?.string else {
            throw WebDriverError.unexpectedAnswer("\(value)", to: "POST /session")
        }
        return WebDriverSession(driver: driver, id: id)
    }

    func get(_ path: String) async throws -> JSONValue {
        try await WebDriverSession.send(.GET, to: "\(driver)/session/\(id)", path: path, nil)
    }

    @discardableResult
    func post(_ path: String, _ parameters: JSONValue = [:]) async throws -> JSONValue {
        try await WebDriverSession.send(.POST, to: "\(driver)/session/\(id)", path: path, parameters)
    }

    func delete(_ path: String) async throws {
        _ = try await WebDriverSession.send(.DELETE, to: "\(driver)/session/\(id)", path: path, nil)
    }

    /// Sends a command of the Chrome DevTools Protocol to the page.
    @discardableResult
    func devTools(_ command: String, _ parameters: JSONValue = [:]) async throws -> JSONValue {
        try await post("/goog/cdp/execute", ["cmd": .string(command), "params": parameters])
    }

    /// Asks until the driver is ready; while it does not listen yet, asking fails.
    private static func ready(_ driver: String) async throws {
        for _ in 0..<100 {
            let status = try? await send(.GET, to: driver, path: "/status", nil)
            if status?["ready"]?.bool == true { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw WebDriverError.notStarted("does not say that it is ready")
    }

    private static func send(
        _ method: HTTPMethod,
        to base: String,
        path: String,
        _ parameters: JSONValue?
    ) async throws -> JSONValue {
        var request = HTTPClientRequest(url: base + path)
        request.method = method
        if let parameters {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(try JSONEncoder().encode(parameters))
        }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        let body = try await response.body.collect(upTo: 64 << 20)
        let value = try JSONDecoder().decode(Answer.self, from: Data(body.readableBytesView)).value
        guard response.status == .ok else {
            throw WebDriverError(
                code: value["error"]?.string ?? "\(response.status)",
                reason: value["message"]?.string ?? "",
                command: "\(method) \(path)"
            )
        }
        return value
    }

    private struct Answer: Decodable {
        let value: JSONValue
    }
}
