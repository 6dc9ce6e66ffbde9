internal import NIOConcurrencyHelpers

/// Delivers each value to every observer, in separate streams.
package final class Observers<Value: Sendable>: Sendable {
    private struct State {
        var observers: [Int: AsyncStream<Value>.Continuation] = [:]
        var observersEver = 0
    }

    /// More values than an observer that still reads leaves waiting; the oldest of a longer queue are dropped.
    private let longestQueue: Int
    private let state = NIOLockedValueBox(State())

    package init(longestQueue: Int) {
        self.longestQueue = longestQueue
    }

    deinit { finish() }

    /// A new observer, whose stream begins with these values.
    package func watch(after first: [Value] = []) -> AsyncStream<Value> {
        let (stream, observer) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(longestQueue))
        for value in first { observer.yield(value) }
        let number = state.withLockedValue { state in
            state.observersEver += 1
            state.observers[state.observersEver] = observer
            return state.observersEver
        }
        observer.onTermination = { [weak self] _ in
            self?.state.withLockedValue { state in _ = state.observers.removeValue(forKey: number) }
        }
        return stream
    }

    /// Delivers a value.
    package func announce(_ value: Value) {
        for observer in state.withLockedValue(\.observers).values { observer.yield(value) }
    }

    /// Ends the streams of all observers; later ones observe what comes then.
    package func finish() {
        let observers = state.withLockedValue { state in
            defer { state.observers = [:] }
            return state.observers
        }
        for observer in observers.values { observer.finish() }
    }
}
