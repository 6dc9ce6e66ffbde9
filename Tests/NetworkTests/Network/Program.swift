import Foundation
import TestShell

/// A program that runs beside a test; it is ended with the test at the latest.
final class Program: Sendable {
    private let program: RunningProgram
    private let log: URL

    /// Our own command, as a word of a line.
    static let countersign = Shell.word(BuiltPrograms.command.path)

    /// Starts a line of shell.
    init(_ line: String) throws {
        log = FileManager.default.temporaryDirectory.appendingPathComponent("countersign-network-\(UUID().uuidString)")
        program = try RunningProgram("/bin/sh", ["-c", line], printing: .file(log))
    }

    deinit {
        program.kill()
        try? FileManager.default.removeItem(at: log)
    }

    /// Sends a signal to it.
    func signal(_ signal: Int32) {
        program.signal(signal)
    }

    /// The text that it has printed so far.
    var printed: String {
        (try? String(contentsOf: log, encoding: .utf8)) ?? ""
    }

    /// It did not print what was waited for.
    struct Silent: Error {
        let wanted: String
        let printed: String
    }

    /// Waits for a line with all of these parts, two minutes at least; returns it.
    @discardableResult
    func line(with parts: String...) async throws -> String {
        for _ in 0..<4_800 {
            let found = printed.split(separator: "\n").first { line in parts.allSatisfy { line.contains($0) } }
            if let found { return String(found) }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw Silent(wanted: parts.joined(separator: " … "), printed: printed)
    }

    /// Sends a signal, waits for the end, and returns the status.
    @discardableResult
    func stop(_ signal: Int32 = SIGTERM) async throws -> Int32 {
        program.signal(signal)
        return try await program.ended() ?? -1
    }
}
