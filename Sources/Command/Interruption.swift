internal import ArgumentParser
internal import Foundation
internal import UnixSignals

extension UnixSignal {
    /// The signals that end a program in order: Ctrl-C, SIGTERM, and the end of its terminal, unless they are ignored, as
    /// by `nohup`, or in a job of a script in the background.
    static var interruptions: [UnixSignal] {
        [.sigint, .sigterm, .sighup].filter { !isIgnored($0.rawValue) }
    }

    /// Whether the program ignores a signal. It only looks, so that none is lost meanwhile.
    static func isIgnored(_ number: Int32) -> Bool {
        var present = sigaction()
        guard sigaction(number, nil, &present) == 0 else { return false }
        #if canImport(Darwin)
        let handler = present.__sigaction_u.__sa_handler
        #else
        let handler = present.__sigaction_handler.sa_handler
        #endif
        // 1 is an ignored signal.
        return unsafeBitCast(handler, to: Int.self) == 1
    }
}

extension Terminal {
    /// The meaning of SIGHUP to a server that is started here; to be read before signals are trapped.
    static var hangUp: HangUp {
        HangUp(
            hasTerminal: [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains { isatty($0) == 1 },
            wasIgnored: UnixSignal.isIgnored(SIGHUP),
            process: getpid(),
            environment: ProcessInfo.processInfo.environment
        )
    }
}

extension ParsableCommand {
    /// Runs `act`, and cancels it on a signal or when standard output is lost, so that it ends in order before the
    /// program does.
    func untilInterrupted(_ act: @escaping @Sendable () async throws -> Void) async throws {
        let signals = await UnixSignalsSequence(trapping: UnixSignal.interruptions)
        let acting = Task { try await act() }
        let watching = Task {
            for await _ in signals { acting.cancel() }
        }
        defer { watching.cancel() }
        StandardOutput.shared.whenLost { acting.cancel() }
        try await acting.value
    }
}
