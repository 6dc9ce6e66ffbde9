/// Waits for work that may not react to cancellation, such as a person at a screen.
enum Interruptible {
    /// Returns the result of `operation`; cancelling the task ends the wait at once, and cancels the operation.
    ///
    /// - Throws: ``SignInError`` `cancelled`.
    static func value<Value: Sendable>(
        _ operation: @escaping @Sendable () async -> Value
    ) async throws(SignInError) -> Value {
        let (stream, outcome) = AsyncStream.makeStream(of: Value.self)
        let work = Task {
            outcome.yield(await operation())
            outcome.finish()
        }
        for await value in stream { return value }
        work.cancel()
        throw .taskCancelled
    }
}

extension Result {
    /// The outcome of work, for a task whose value cannot be a typed error.
    nonisolated(nonsending) init(_ work: nonisolated(nonsending) () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}
