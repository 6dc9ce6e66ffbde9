import Foundation
import TestShell

/// A program of the folder Examples, run as a person runs it.
final class ExampleProgram: Sendable {
    private let program: LoggedProgram
    private let keyboard: LocalPipe

    /// Starts the program, which reads `input`; `nil` for what is typed later. It finds other programs in `bin` of its
    /// directory first.
    init(_ name: String, _ arguments: [String], reading input: String? = "", in directory: URL) throws {
        keyboard = try LocalPipe()
        program = try LoggedProgram(
            BuiltPrograms.folder.appending(component: name).path,
            arguments,
            environment: ["PATH": "\(directory.path)/bin:/usr/bin:/bin", "NO_PROXY": "*", "HOME": directory.path],
            reading: .descriptor(keyboard.readEnd),
            printingTo: directory.appending(component: "\(name)-\(UUID().uuidString).log")
        )
        keyboard.closeReadEnd()
        guard let input else { return }
        keyboard.write(input)
        keyboard.closeWriteEnd()
    }

    deinit { stop() }

    /// Types a line.
    func type(_ line: String) { keyboard.write("\(line)\n") }

    func stop() {
        program.signal(SIGTERM)
    }

    /// Waits for a line that begins so, and gives the rest of it.
    func said(_ beginning: String) async throws -> String {
        try await program.firstPrinted { _ in
            program.lines.first { $0.hasPrefix(beginning) }.map { String($0.dropFirst(beginning.count)) }
        }
    }

    /// Waits for its end; its status and all that it printed.
    func ended() async throws -> (status: Int32, printed: String) { try await program.ended() }

    /// Returns once somebody answers at `address`.
    static func answers(_ address: String) async throws {
        for _ in 0..<2400 {
            if (try? await LoopbackHTTP.get("http://\(address)/")) != nil { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw LoggedProgram.NeverPrinted("nobody answers at \(address)")
    }
}
