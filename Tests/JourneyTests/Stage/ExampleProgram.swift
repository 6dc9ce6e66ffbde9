import Foundation
import TestShell

/// A program of the folder Examples, run as a person runs it.
final class ExampleProgram: Sendable {
    struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    private let name: String
    private let program: RunningProgram
    private let keyboard: LocalPipe
    private let log: URL

    /// Starts the program, which reads `input`; `nil` for what is typed later.
    init(_ name: String, _ arguments: [String], reading input: String? = "", in directory: URL) throws {
        self.name = name
        log = directory.appending(component: "\(name)-\(UUID().uuidString).log")
        keyboard = try LocalPipe()
        program = try RunningProgram(
            BuiltPrograms.folder.appending(component: name).path,
            arguments,
            environment: ["PATH": "/usr/bin:/bin", "NO_PROXY": "*", "HOME": directory.path],
            reading: .descriptor(keyboard.readEnd),
            printing: .file(log)
        )
        keyboard.closeReadEnd()
        guard let input else { return }
        keyboard.write(input)
        keyboard.closeWriteEnd()
    }

    deinit { stop() }

    /// All that it has printed so far.
    var printed: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// Types a line.
    func type(_ line: String) { keyboard.write("\(line)\n") }

    func stop() {
        program.signal(SIGTERM)
    }

    /// Waits for a line that begins so, and gives the rest of it.
    func said(_ beginning: String) async throws -> String {
        for _ in 0..<6000 {
            let hasEnded = !program.isRunning
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
        guard let status = try await program.ended() else {
            throw Unexpected(description: "\(name) did not end: \(printed)")
        }
        return (status, printed)
    }

    /// Returns once somebody answers at `address`.
    static func answers(_ address: String) async throws {
        for _ in 0..<2400 {
            if (try? await LoopbackHTTP.get("http://\(address)/")) != nil { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Unexpected(description: "nobody answers at \(address)")
    }
}
