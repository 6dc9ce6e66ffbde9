extension Task where Success == Never, Failure == Never {
    /// Waits until the current task is cancelled.
    package static func untilCancelled() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        // The stream stays open as long as its continuation, and ends with the task.
        for await _ in stream {}
        continuation.finish()
    }
}
