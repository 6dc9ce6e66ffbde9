import Foundation

/// A terminal with somebody who answers when they are asked.
package actor AnsweringTerminal {
    package nonisolated let running: RunningCommand
    private let keyboard: FileHandle
    /// Its home must be there as long as it is.
    private let command: CommandUnderTest
    /// The count of printed characters that have been read.
    private var read = 0

    package init(_ line: String, in command: CommandUnderTest) throws {
        let pipe = command.home.appendingPathComponent("keyboard-\(UUID().uuidString.prefix(8))").path
        guard mkfifo(pipe, 0o600) == 0, let keyboard = FileHandle(forUpdatingAtPath: pipe) else {
            throw CocoaError(.fileWriteUnknown)
        }
        self.keyboard = keyboard
        self.command = command
        running = try command.start("\(line) < \(pipe)")
    }

    deinit {
        running.signal(SIGKILL)
    }

    /// Types a line.
    package func answer(_ text: String) { press("\(text)\n") }

    /// Presses keys, and no Enter after them.
    package func press(_ keys: String) {
        try? keyboard.write(contentsOf: Data(keys.utf8))
    }

    /// Reads on until `words` were printed; returns what was printed from the last reading on, these words included.
    @discardableResult
    package func reads(_ words: String) async throws -> String {
        let from = read
        func found(in text: String) -> Range<String.Index>? { text.dropFirst(from).range(of: words) }
        let text = try await running.printed { found(in: $0) != nil }
        guard let found = found(in: text) else { throw RunningCommand.NeverPrinted(text: text) }
        read = text.distance(from: text.startIndex, to: found.upperBound)
        return String(text[..<found.upperBound].dropFirst(from))
    }

    /// Reads on until there are six digits to type at another device.
    package func readsDigits() async throws -> String {
        let after = " in the app on"
        return String(try await reads(after).dropLast(after.count).suffix(7))
    }

    /// All that was printed.
    package nonisolated var printed: String { running.printed }

    /// Interrupts it, as Ctrl-C does, and waits for its end.
    @discardableResult
    package func interrupt() async throws -> CommandUnderTest.Outcome {
        running.signal(SIGINT)
        return try await running.finish()
    }

    /// Waits for its end.
    @discardableResult
    package func finish() async throws -> CommandUnderTest.Outcome { try await running.finish() }
}
