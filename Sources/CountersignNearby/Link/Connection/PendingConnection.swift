internal import NIOConcurrencyHelpers

/// Connects to an approver until it is abandoned, so that an unresponsive address delays nothing else.
final class PendingConnection: Sendable {
    /// The state shared with the task that connects.
    private struct State {
        /// The task that connects; `nil` when it has not begun.
        var task: Task<Connector.Connection?, Never>?
        /// Whether it was abandoned.
        var isGivenUp = false
    }

    /// Connects to the first address that answers.
    private let connector: Connector
    private let state = NIOLockedValueBox(State())

    /// A connection that is not being made yet.
    init(clock: TimeSource, timeout: Duration) { connector = Connector(clock: clock, timeout: timeout) }

    /// Connects; `nil` when no connection was made in time, or the attempt was abandoned.
    func connect(to endpoints: [NearbyEndpoint]) async -> Connector.Connection? {
        let task = state.withLockedValue { state -> Task<Connector.Connection?, Never>? in
            guard !state.isGivenUp else { return nil }
            let task = Task { [connector] in await connector.connect(to: endpoints) }
            state.task = task
            return task
        }
        guard let task else { return nil }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Makes no connection from now on; one that was made already is not closed.
    func giveUp() {
        let task = state.withLockedValue { state in
            state.isGivenUp = true
            return state.task
        }
        task?.cancel()
    }
}
