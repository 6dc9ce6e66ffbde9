internal import NIOConcurrencyHelpers

/// Looks several times a second whether another process has changed the database; only once somebody wants to know.
final class Lookout: Sendable {
    /// How long between two looks.
    static let period: Duration = .milliseconds(200)

    private let look: @Sendable () -> Void
    private let task = NIOLockedValueBox<Task<Void, any Error>?>(nil)

    init(_ look: @escaping @Sendable () -> Void) {
        self.look = look
    }

    deinit { end() }

    func begin() {
        task.withLockedValue { [look] task in
            guard task == nil else { return }
            task = Task {
                while true {
                    try await Task.sleep(for: Self.period)
                    look()
                }
            }
        }
    }

    func end() {
        task.withLockedValue { $0?.cancel() }
    }
}
