internal import Countersign
internal import Foundation

/// Standard input and output, which may be a terminal.
enum Terminal {
    /// Whether standard output is read by a person.
    static var showsOutput: Bool { isatty(STDOUT_FILENO) == 1 }
    /// Whether lines of standard output can be redrawn and have styles.
    static var redraws: Bool { showsOutput && ProcessInfo.processInfo.environment["TERM"] != "dumb" }
    /// Whether standard input is typed by a person.
    static var givesInput: Bool { isatty(STDIN_FILENO) == 1 }

    /// Whether no answer can ever come: standard input is closed, or is a device such as `/dev/null`.
    static var givesNothing: Bool {
        guard !givesInput else { return false }
        guard let input = FileStatus(of: STDIN_FILENO) else { return true }
        return input.kind == .characterDevice
    }

    /// Discards what a person has typed and the program has not read.
    static func forgetTyped() {
        if givesInput { tcflush(STDIN_FILENO, TCIFLUSH) }
    }

    /// Writes a line without buffering.
    static func say(_ line: String) {
        write(line + "\n")
    }

    /// Writes text without ending the line.
    static func write(_ text: String) {
        StandardOutput.shared.put(text)
    }

    /// Writes a question, or what belongs to one, to standard error: standard output may be another program's.
    static func prompt(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// Writes a line about what went wrong.
    static func complain(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data("countersign: \(line)\n".utf8))
    }

    /// The number of columns; 80 if that is unknown.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// A line of standard input, typed without being shown where a person types it; `nil` at its end.
    ///
    /// - Throws: a ``CommandError`` for a line that is not UTF-8.
    static func readSecret(asking question: String) throws(CommandError) -> String? {
        guard givesInput else { return try StandardInput.shared.line() }
        defer { prompt("\n") }
        return try HiddenTyping.during { () throws(CommandError) -> String? in
            prompt(question)
            return try StandardInput.shared.line()
        }
    }
}
