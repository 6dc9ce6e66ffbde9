import Foundation
import TestShell

/// A program of the tests that uses a token store in a process of its own.
final class ChildProcess: Sendable {
    private let process: RunningProgram
    private let input: LocalPipe
    private let output: URL

    /// Starts it; what it says goes to a file in `place`. `wrapper` is put before it in a shell line.
    init(_ arguments: String..., in place: URL, wrapper: String = "exec") throws {
        output = place.appendingPathComponent("output-\(UUID().uuidString.prefix(8))")
        input = try LocalPipe()
        process = try RunningProgram(
            "/bin/sh",
            ["-c", "\(wrapper) \"$0\" \"$@\"", Self.program.path] + arguments,
            reading: .descriptor(input.readEnd),
            printing: .file(output)
        )
        input.closeReadEnd()
    }

    deinit { kill() }

    /// Beside the program that runs the tests, where the build puts both.
    private static let program: URL = {
        let tests = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        return tests.resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("TokenStoreChild")
    }()

    /// By which the system knows it.
    var number: Int32 { process.number }

    /// All whole lines that it has said so far.
    var lines: [String] {
        let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
        let whole = text.prefix(upTo: text.lastIndex(of: "\n") ?? text.startIndex)
        return whole.split(separator: "\n").map(String.init)
    }

    /// Waits until it has said something.
    func said(_ line: String? = nil) async throws {
        for _ in 0..<12_000 {
            if line.map(lines.contains) ?? !lines.isEmpty { return }
            guard process.isRunning else { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw NeverSaid(lines: lines)
    }

    /// Tells one that said `ready` to begin.
    func begin() { input.write("\n") }

    /// Waits until it has ended by itself.
    func ended() async throws {
        guard try await process.ended() == 0 else { throw NeverSaid(lines: lines) }
    }

    /// Ends it as a loss of power would, and waits until it is gone.
    func kill() { process.kill() }

    struct NeverSaid: Error {
        let lines: [String]
    }
}
