internal import Countersign
internal import Foundation

/// Standard input and output, which may be a terminal.
enum Terminal {
    /// Whether standard output is read by a person.
    static var showsOutput: Bool { isatty(STDOUT_FILENO) == 1 }
    /// Whether lines of standard output can be redrawn and have styles.
    static var redraws: Bool { showsOutput && ProcessInfo.processInfo.environment["TERM"] != "dumb" }
    /// Whether a person sees lines of standard error that are redrawn.
    static var showsProgress: Bool {
        isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }
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

    /// Writes text without ending the line; a terminal gets it as its locale can show it.
    static func write(_ text: String) {
        StandardOutput.shared.put(showsOutput ? encoding.legible(text) : text)
    }

    /// The encoding of the locale.
    static let encoding = LocaleEncoding(ProcessInfo.processInfo.environment)

    /// Writes a question, or what belongs to one, to standard error: standard output may be another program's.
    static func prompt(_ text: String) {
        let text = isatty(STDERR_FILENO) == 1 ? encoding.legible(text) : text
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// Writes a line about what went wrong.
    static func complain(_ line: String) {
        prompt("countersign: \(line)\n")
    }

    /// The size of the terminal; 80 columns and 24 rows if that is unknown.
    static var size: TerminalSize {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return TerminalSize(columns: 80, rows: 24) }
        return TerminalSize(
            columns: size.ws_col > 0 ? Int(size.ws_col) : 80, rows: size.ws_row > 0 ? Int(size.ws_row) : 24)
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
