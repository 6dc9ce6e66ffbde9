import Foundation
import NIOConcurrencyHelpers

/// A program of the folder Examples, run as a person runs it.
final class ExampleProgram: Sendable {
    struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    private let name: String
    private let process: Process
    private let log: URL

    /// Starts the program, which reads `input`.
    init(_ name: String, _ arguments: [String], reading input: String = "", in directory: URL) throws {
        self.name = name
        let id = UUID().uuidString
        log = directory.appending(component: "\(name)-\(id).log")
        let read = directory.appending(component: "\(name)-\(id).input")
        try Data(input.utf8).write(to: read)
        try Data().write(to: log)
        let output = try FileHandle(forWritingTo: log)
        process = Process()
        process.executableURL = Self.folder.appending(component: name)
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "NO_PROXY": "*", "HOME": directory.path]
        process.standardInput = try FileHandle(forReadingFrom: read)
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    deinit { stop() }

    /// All that it has printed so far.
    var printed: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    func stop() {
        if process.isRunning { kill(process.processIdentifier, SIGTERM) }
    }

    /// Waits for a line that begins so, and gives the rest of it.
    func said(_ beginning: String) async throws -> String {
        for _ in 0..<6000 {
            let hasEnded = !process.isRunning
            // The last piece is no whole line yet.
            for line in printed.components(separatedBy: "\n").dropLast() where line.hasPrefix(beginning) {
                return String(line.dropFirst(beginning.count))
            }
            if hasEnded { break }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw Unexpected(description: "\(name) said: \(printed)")
    }

    /// Waits for its end; its status and all that it printed.
    func ended() async throws -> (status: Int32, printed: String) {
        for _ in 0..<6000 where process.isRunning { try await Task.sleep(for: .milliseconds(25)) }
        guard !process.isRunning else { throw Unexpected(description: "\(name) did not end: \(printed)") }
        return (process.terminationStatus, printed)
    }

    /// Returns once somebody answers at `address`.
    static func answers(_ address: String) async throws {
        for _ in 0..<2400 {
            if (try? await LoopbackHTTP.get("http://\(address)/")) != nil { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Unexpected(description: "nobody answers at \(address)")
    }

    /// Where `swift build` puts programs: beside the command, or in the usual place.
    private static let folder: URL = {
        if let command = ProcessInfo.processInfo.environment["COUNTERSIGN_TEST_COMMAND"] {
            return URL(filePath: command).absoluteURL.deletingLastPathComponent()
        }
        return URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: ".build/debug")
    }()
}
