import Foundation
import TestShell

/// A program that ends by itself, in its own time, once nobody holds the other end of what it reads.
final class ParentBoundProgram: Sendable {
    private let input: LocalPipe
    private let program: RunningProgram

    init(_ path: String, _ arguments: [String], environment: [String: String], printing log: URL) throws {
        input = try LocalPipe()
        program = try RunningProgram(
            path,
            arguments,
            environment: environment,
            reading: .descriptor(input.readEnd),
            printing: .file(log)
        )
        input.closeReadEnd()
    }

    deinit { cut() }

    /// Lets go; a second call does nothing.
    func cut() {
        guard input.closeWriteEnd() else { return }
        // Somebody has to stay until it has ended, and has time for that.
        Thread.detachNewThread { [program] in
            while program.isRunning { usleep(20_000) }
        }
    }
}
