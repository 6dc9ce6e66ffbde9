internal import Foundation
internal import UnixSignals

/// Hides what a person types at the terminal. A signal that ends or stops the program shows it again before.
enum HiddenTyping {
    /// The original settings of the terminal, and the ones without echo. Plain memory, since a handler of signals reads
    /// it.
    nonisolated(unsafe) private static let settings = UnsafeMutablePointer<termios>.allocate(capacity: 2)

    /// Runs `body` while typing is hidden.
    static func during<Value>(_ body: () throws(CommandError) -> Value) throws(CommandError) -> Value {
        tcgetattr(STDIN_FILENO, settings)
        settings[1] = settings[0]
        settings[1].c_lflag &= ~tcflag_t(ECHO)
        let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP].filter { !UnixSignal.isIgnored($0) }
        let handlers = signals.map { signal($0, showAgain) }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, settings + 1)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, settings)
            for (number, handler) in zip(signals, handlers) { signal(number, handler) }
        }
        return try body()
    }

    /// The handler of signals; it calls only what such a handler may.
    private static let showAgain: @convention(c) (Int32) -> Void = { number in
        tcsetattr(STDIN_FILENO, TCSANOW, settings)
        guard number == SIGTSTP else {
            signal(number, SIG_DFL)
            raise(number)
            return
        }
        kill(getpid(), SIGSTOP)
        // SIGCONT resumes at this point.
        tcsetattr(STDIN_FILENO, TCSANOW, settings + 1)
    }
}
