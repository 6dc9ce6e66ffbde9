package import Foundation

/// A program that runs beside a test, and whose output is kept in a file; it is ended with the test at the latest.
package final class LoggedProgram: Sendable {
    private let program: RunningProgram
    private let log: URL

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: The program's file.
    ///   - environment: All of its environment; `nil` for ours.
    ///   - log: A new file for everything that it prints.
    package init(
        _ path: String,
        _ arguments: [String],
        environment: [String: String]? = nil,
        reading input: RunningProgram.Input = .nothing,
        printingTo log: URL
    ) throws {
        self.log = log
        program = try RunningProgram(
            path,
            arguments,
            environment: environment,
            reading: input,
            printing: .file(log)
        )
    }

    /// Its process identifier.
    package var number: pid_t { program.number }

    package var isRunning: Bool { program.isRunning }

    /// All that it has printed so far.
    package var printed: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// The whole lines that it has printed so far.
    package var lines: [Substring] {
        // The last piece is no whole line yet.
        printed.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }

    /// The program has not printed what a test waits for, or does not end.
    package struct NeverPrinted: Error, CustomStringConvertible {
        package let description: String

        package init(_ description: String) {
            self.description = description
        }
    }

    /// Waits until `find` finds something in what it has printed.
    ///
    /// - Throws: ``NeverPrinted`` when it has ended without that, or runs for five minutes without.
    package func firstPrinted<Found>(_ find: (String) throws -> Found?) async throws -> Found {
        for _ in 0..<12_000 {
            // Before it is read: what it printed last must not be missed.
            let hasEnded = !isRunning
            if let found = try find(printed) { return found }
            guard !hasEnded else { break }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw NeverPrinted(printed)
    }

    /// Waits until `condition` holds for what it has printed, and returns that.
    ///
    /// - Throws: ``NeverPrinted`` when it has ended without that, or runs for five minutes without.
    package func printed(until condition: (String) throws -> Bool) async throws -> String {
        try await firstPrinted { try condition($0) ? $0 : nil }
    }

    /// Sends it a signal; nothing happens when it has ended.
    package func signal(_ signal: Int32) { program.signal(signal) }

    /// Ends it as a loss of power would, and waits until it is gone.
    package func kill() { program.kill() }

    /// Waits for its end, and ends what does not end by itself within five minutes.
    ///
    /// - Throws: ``NeverPrinted`` when it did not end by itself.
    package func ended() async throws -> (status: Int32, printed: String) {
        guard let status = try await program.ended() else {
            signal(SIGKILL)
            throw NeverPrinted("It did not end. It printed: \(printed)")
        }
        return (status, printed)
    }
}
