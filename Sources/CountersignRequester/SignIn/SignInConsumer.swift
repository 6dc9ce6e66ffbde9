internal import NIOConcurrencyHelpers

/// The iteration over one sign-in: it starts the run with the first call, and stops it when it is dropped.
final class SignInConsumer: Sendable {
    /// The present state.
    private enum State {
        /// Nothing was asked for.
        case created
        /// The run is under way; its events are read one by one.
        case running(SignInReporter, Task<Result<CompletedSignIn, SignInError>, Never>)
        /// The last event was given.
        case over
    }

    private let signIn: SignIn
    private let state = NIOLockedValueBox(State.created)

    init(of signIn: SignIn) { self.signIn = signIn }

    deinit { stop() }

    /// The next event; the last one is made of the result, so that there is exactly one. `nil` after it.
    func next() async throws(SignInError) -> SignInEvent? {
        guard let (reporter, running) = start() else { return nil }
        let event = await withTaskCancellationHandler {
            await reporter.next()
        } onCancel: {
            stop()
        }
        if let event { return event }
        reporter.abandon()
        let result = await running.value
        state.withLockedValue { $0 = .over }
        return .signedIn(try result.get())
    }

    private func start() -> (SignInReporter, Task<Result<CompletedSignIn, SignInError>, Never>)? {
        state.withLockedValue { state in
            switch state {
            case .created:
                let reporter = SignInReporter(signIn.announcer)
                let run = SignInRun(of: signIn, reportingTo: reporter)
                let running = Task { await run.result() }
                state = .running(reporter, running)
                return (reporter, running)
            case .running(let reporter, let running): return (reporter, running)
            case .over: return nil
            }
        }
    }

    /// Stops the run, which then ends with its result.
    private func stop() {
        guard case .running(let reporter, let running) = state.withLockedValue(\.self) else { return }
        running.cancel()
        reporter.abandon()
    }
}
