package import Foundation
package import TestShell

/// The program as it was built, in a home of its own that is removed afterwards.
package final class CommandUnderTest: Sendable {
    package let home: URL

    package init() throws {
        home = FileManager.default.temporaryDirectory
            .appendingPathComponent("countersign-command-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: home)
    }

    /// The outcome of a run.
    package struct Outcome: Sendable {
        package let status: Int32
        package let output: String
    }

    /// Runs a line as a shell does, to its end; the program is called `countersign` in it.
    package func run(_ line: String, input: String? = nil) async throws -> Outcome {
        try await start(line, input: input).finish()
    }

    /// Starts a line and goes on.
    package func start(_ line: String, input: String? = nil) throws -> RunningCommand {
        try RunningCommand(line: line, of: self, input: input)
    }
}

/// A program that runs beside the test.
package final class RunningCommand: Sendable {
    private let program: LoggedProgram
    /// Its directory is there for as long as it runs.
    private let command: CommandUnderTest

    fileprivate init(line: String, of command: CommandUnderTest, input: String?) throws {
        self.command = command
        let home = command.home
        let ours = ProcessInfo.processInfo.environment
        let keyboard = try LocalPipe()
        program = try LoggedProgram(
            "/bin/sh",
            // `exec` where there is one command, so that signals reach the program itself.
            ["-c", "cd \(Shell.word(home.path)) || exit; \(line)"],
            environment: [
                "PATH": "\(BuiltPrograms.folder.path):/usr/bin:/bin",
                "HOME": home.path,
                "XDG_DATA_HOME": home.appendingPathComponent("data").path,
                "DATABASE": ours["COUNTERSIGN_TEST_POSTGRES"] ?? "",
                "LANG": "C.UTF-8",
                "TERM": "xterm-256color",
                // The options of `make sanitize` for a program that it built.
                "TSAN_OPTIONS": ours["TSAN_OPTIONS"] ?? "",
            ],
            reading: input == nil ? .nothing : .descriptor(keyboard.readEnd),
            printingTo: home.appendingPathComponent("output-\(UUID().uuidString.prefix(8))")
        )
        if let input { keyboard.write(input) }
    }

    /// All that it has printed so far.
    package var printed: String { program.printed }

    /// Waits for its end; what does not end by itself is ended.
    package func finish() async throws -> CommandUnderTest.Outcome {
        let ended = try await program.ended()
        return CommandUnderTest.Outcome(status: ended.status, output: ended.printed)
    }

    /// Sends it a signal.
    package func signal(_ number: Int32) {
        program.signal(number)
    }

    /// Waits until `condition` holds for what it printed; gives up after five minutes or when it has ended.
    package func printed(until condition: (String) -> Bool) async throws -> String {
        try await program.printed(until: condition)
    }

    /// Waits until it shows the code of a sign-in, in words or as JSON.
    package func shownCode() async throws -> String {
        let shown = try await printed { $0.contains("works until") || $0.contains("\"expires\"") }
        guard let code = shown.firstMatch(of: /[A-Z]{4}-[A-Z]{4}/) else { throw NeverPrinted(text: shown) }
        return String(code.0)
    }

    /// Waits until a server says where it answers.
    ///
    /// - Parameter operations: Whether it was told to listen for its operators as well.
    package func addresses(operations: Bool = false) async throws -> ServedAddresses {
        try await program.firstPrinted { ServedAddresses(printed: $0, operations: operations) }
    }

    /// The program did not print what was awaited.
    package struct NeverPrinted: Error {
        package let text: String

        package init(text: String) {
            self.text = text
        }
    }
}
