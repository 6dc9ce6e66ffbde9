import Foundation
import TestShell

/// A program of the tests that uses a token store in a process of its own.
final class ChildProcess: Sendable {
    private let program: LoggedProgram
    private let input: LocalPipe

    /// Starts it; what it says goes to a file in `place`. `wrapper` is put before it in a shell line.
    init(_ arguments: String..., in place: URL, wrapper: String = "exec") throws {
        input = try LocalPipe()
        program = try LoggedProgram(
            "/bin/sh",
            ["-c", "\(wrapper) \"$0\" \"$@\"", Self.executable.path] + arguments,
            reading: .descriptor(input.readEnd),
            printingTo: place.appendingPathComponent("output-\(UUID().uuidString.prefix(8))")
        )
        input.closeReadEnd()
    }

    deinit { kill() }

    /// Beside the program that runs the tests, where the build puts both.
    private static let executable: URL = {
        let tests = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        return tests.resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("TokenStoreChild")
    }()

    /// Its process identifier.
    var number: Int32 { program.number }

    /// All whole lines that it has said so far.
    var lines: [String] { program.lines.filter { !$0.isEmpty }.map(String.init) }

    /// Waits until it has said something.
    func said(_ line: String? = nil) async throws {
        _ = try await program.printed(until: { _ in line.map(lines.contains) ?? !lines.isEmpty })
    }

    /// Tells one that said `ready` to begin.
    func begin() { input.write("\n") }

    /// Waits until it has ended by itself, and well.
    func ended() async throws {
        let ended = try await program.ended()
        guard ended.status == 0 else { throw LoggedProgram.NeverPrinted("It failed: \(ended.printed)") }
    }

    /// Ends it as a loss of power would, and waits until it is gone.
    func kill() { program.kill() }
}
