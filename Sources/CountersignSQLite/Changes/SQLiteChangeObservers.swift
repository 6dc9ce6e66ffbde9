internal import CountersignSQL
internal import CountersignStorage
internal import NIOConcurrencyHelpers

/// The observers of a store.
final class SQLiteChangeObservers: Sendable {
    private static let dataVersion: SQLStatement = "PRAGMA data_version"

    private struct State {
        var observers: [@Sendable ([StoreChange]) -> Void] = []
        /// The last value of SQLite's counter of changes by other connections.
        var dataVersion: Int?
    }

    private let state = NIOLockedValueBox(State())

    func add(_ observer: @escaping @Sendable ([StoreChange]) -> Void) {
        state.withLockedValue { $0.observers.append(observer) }
    }

    /// Notifies every observer. Only the writer's thread calls this, so all are notified in the order of the commits.
    func notify(_ changes: [StoreChange]) {
        guard !changes.isEmpty else { return }
        for observer in state.withLockedValue(\.observers) { observer(changes) }
    }

    /// Notifies every observer if another process has changed the database since the last call.
    ///
    /// The counter of the writer's connection changes when others write, but not when it writes itself.
    func notifyOfOthers(on writer: SQLiteConnection) {
        let version = try? writer.first(Self.dataVersion, [], { try $0.integer(0) })
        let hasChanged = state.withLockedValue { state in
            guard !state.observers.isEmpty, let version else { return version == nil && !state.observers.isEmpty }
            defer { state.dataVersion = version }
            return state.dataVersion != version
        }
        if hasChanged { notify([.anything]) }
    }
}

/// Polls several times a second whether another process has changed the database, once the store is observed.
final class DataVersionPoller: Sendable {
    static let interval: Duration = .milliseconds(200)

    private let poll: @Sendable () -> Void
    private let task = NIOLockedValueBox<Task<Void, any Error>?>(nil)

    init(_ poll: @escaping @Sendable () -> Void) {
        self.poll = poll
    }

    deinit { end() }

    func begin() {
        task.withLockedValue { [poll] task in
            guard task == nil else { return }
            task = Task {
                while true {
                    try await Task.sleep(for: Self.interval)
                    poll()
                }
            }
        }
    }

    func end() {
        task.withLockedValue { $0?.cancel() }
    }
}
