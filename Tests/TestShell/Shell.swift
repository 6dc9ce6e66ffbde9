import Foundation

/// Runs lines of shell for tests.
///
/// Not by Foundation's `Process`: before it starts a program it lists the descriptors that are open, and beyond some
/// 1,300 of them it reads past the end of that list. Tests that keep thousands of connections open run beside.
package enum Shell {
    /// The line ended with another status than 0.
    package struct Failed: Error {
        package let line: String
        /// Its exit status, or the number of the signal that ended it.
        package let status: Int32
    }

    /// Runs a line of shell, waits for its end, and returns what it printed, without white space around.
    @discardableResult
    package static func run(_ line: String) throws -> String {
        let (status, printed) = try end(of: "/bin/sh", ["-c", line]) { .answers($0) }
        guard status == 0 else { throw Failed(line: line, status: status) }
        return printed.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The same on a thread of its own, so that nobody else is kept waiting.
    @discardableResult
    package static func run(aside line: String) async throws -> String {
        try await withCheckedThrowingContinuation { ended in
            DispatchQueue.global().async { ended.resume(with: Result { try run(line) }) }
        }
    }

    /// The program ended with another status than 0.
    package struct ProgramFailed: Error, CustomStringConvertible {
        package let description: String
    }

    /// Runs a program to its end, and returns what it printed.
    ///
    /// - Parameters:
    ///   - program: Its name, or its file.
    ///   - input: Its input, 64 KiB at most.
    /// - Throws: ``ProgramFailed`` when it fails, ``RunningProgram/NotStarted`` when there is none.
    @discardableResult
    package static func run(_ program: String, _ arguments: [String], input: String = "") throws -> String {
        let (status, printed) = try end(of: "/usr/bin/env", [program] + arguments, input: input) { .descriptor($0) }
        guard status == 0 else {
            throw ProgramFailed(description: "\(program) failed: \(printed.suffix(500))")
        }
        return printed
    }

    /// Waits for the end of a program; the thread waits.
    private static func end(
        of file: String,
        _ arguments: [String],
        input: String = "",
        printing output: (Int32) -> RunningProgram.Output
    ) throws -> (status: Int32, printed: String) {
        let (keyboard, screen) = try (LocalPipe(), LocalPipe())
        let running = try RunningProgram(
            file, arguments, reading: .descriptor(keyboard.readEnd), printing: output(screen.writeEnd))
        keyboard.closeReadEnd()
        screen.closeWriteEnd()
        keyboard.write(input)
        keyboard.closeWriteEnd()
        let printed = screen.rest()
        while true {
            if let status = running.status { return (status, printed) }
            usleep(500)
        }
    }

    /// `text` as one word of a line.
    package static func word(_ text: String) -> String {
        "'\(text.replacingOccurrences(of: "'", with: #"'\''"#))'"
    }
}
