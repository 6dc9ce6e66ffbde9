internal import NIOConcurrencyHelpers

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
