internal import ArgumentParser
internal import UnixSignals

extension ParsableCommand {
    /// Runs `act`, and cancels it at Ctrl-C or SIGTERM: what it has begun is ended in order before the program is.
    func untilInterrupted(_ act: @escaping @Sendable () async throws -> Void) async throws {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let acting = Task { try await act() }
        let watching = Task {
            for await _ in signals { acting.cancel() }
        }
        defer { watching.cancel() }
        try await acting.value
    }
}
