/// What a request does that can be held open at its connection, without a task: thousands of screens wait like this, and
/// a task takes more memory than all the rest of a connection.
struct FastPathWait: Sendable {
    /// How long it is held at most.
    let span: Duration
    /// Begins to wait, if there still is what to wait for, and room.
    let begin: @Sendable () -> Waiting?
    /// Ends the wait. A request that is asked again after that is as if it came for the first time.
    let end: @Sendable (Waiting) -> Void
    /// The answer when nothing came, the whole time having passed or not; `nil` when there is another one by now.
    let answer: @Sendable (_ isWhole: Bool) -> FastPathAnswer?
}

/// What can be done at once with a request.
enum FastPathOutcome: Sendable {
    case answer(FastPathAnswer)
    case wait(FastPathWait)
}
