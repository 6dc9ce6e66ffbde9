internal import Atomics

/// Whether the server should be sent requests.
struct Readiness: Sendable {
    let store: any Store
    private let stopping = ManagedAtomic(false)

    init(store: any Store) {
        self.store = store
    }

    /// Why there should be none; `nil` when all is well.
    enum Obstacle: String, Sendable, Equatable {
        /// The server is told to stop, and answers what it has begun.
        case stopping
        /// The store does not answer, or it has no keys.
        case store
    }

    /// Notes that the server ends.
    func stop() {
        stopping.store(true, ordering: .relaxed)
    }

    /// What stands in the way right now.
    func obstacle() async -> Obstacle? {
        guard !stopping.load(ordering: .relaxed) else { return .stopping }
        let hasKeys = try? await store.read { repositories in
            try repositories.serverKeys.all().contains { $0.purpose == .forms }
        }
        return hasKeys == true ? nil : .store
    }
}
