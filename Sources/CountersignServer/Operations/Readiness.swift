internal import Atomics
internal import Countersign

/// Whether the server should be sent requests.
struct Readiness: Sendable {
    private let store: any Store
    /// What the server works with; it knows whether the last change went well.
    private let memory: RememberingStore
    private let clock: TimeSource
    private let stopping = ManagedAtomic(false)

    /// `store` is asked itself, and not what is remembered of it in `memory`.
    init(store: any Store, behind memory: RememberingStore, clock: TimeSource) {
        self.store = store
        self.memory = memory
        self.clock = clock
    }

    /// Why there should be none; `nil` when all is well.
    enum Obstacle: String, Sendable, Equatable {
        /// The server is told to stop, and answers what it has begun.
        case stopping
        /// The store does not answer or takes no changes, or it has no keys.
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
        guard hasKeys == true, await takesChanges() else { return .store }
        return nil
    }

    /// Whether changes can be made, as far as is known; where the last one failed, one is tried.
    private func takesChanges() async -> Bool {
        guard memory.isInTrouble else { return true }
        let key = CountKey(LimitName("readiness"), of: "")
        let now = clock.now()
        return (try? await memory.change { _ = try $0.counts.add(1, to: key, lasting: 60, at: now) }) != nil
    }
}
