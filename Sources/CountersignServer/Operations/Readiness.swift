internal import Atomics
internal import Countersign
internal import NIOConcurrencyHelpers

/// Whether the server should be sent requests.
struct Readiness: Sendable {
    private let store: any Store
    /// The store with its cache, which knows whether the last change succeeded.
    private let cache: CachingStore
    private let clock: TimeSource
    private let stopping = ManagedAtomic(false)
    private let last = NIOLockedValueBox<(at: ContinuousClock.Instant, unreadyReason: UnreadyReason?)?>(nil)
    /// Since when somebody finds out; `nil` when nobody does.
    private let looking = NIOLockedValueBox<ContinuousClock.Instant?>(nil)
    /// For how long an answer stands, so that those who ask often do not burden the store.
    private static let lifetime: Duration = .seconds(1)
    /// How long a change may wait: as long as callers do until they are refused.
    private static let longestWait = StoreQueue.longestWait

    /// Asks `store` itself, not its cache.
    init(store: any Store, behind cache: CachingStore, clock: TimeSource) {
        self.store = store
        self.cache = cache
        self.clock = clock
    }

    /// Why the server should not be sent requests; `nil` when it should.
    enum UnreadyReason: String, Sendable, Equatable {
        /// The server was told to stop, and answers the requests that it has begun.
        case stopping
        /// The store does not answer, takes no changes or does not end them, or it has no keys.
        case store
    }

    /// Notes that the server is stopping.
    func stop() {
        stopping.store(true, ordering: .relaxed)
    }

    /// The current reason not to send requests, if there is one.
    func unreadyReason() async -> UnreadyReason? {
        guard !stopping.load(ordering: .relaxed) else { return .stopping }
        let now = clock.instant()
        let known: UnreadyReason?? = last.withLockedValue { last in
            guard let known = last else { return nil }
            if now - known.at < Self.lifetime { return .some(known.unreadyReason) }
            return nil
        }
        if let known { return known }
        // Those who ask while it is being found out get the previous answer, for as long as an answer may take.
        let began = looking.withLockedValue { looking in
            defer { looking = looking ?? now }
            return looking
        }
        if let began {
            guard now - began < Self.longestWait else { return .store }
            if let known = last.withLockedValue(\.self) { return known.unreadyReason }
        }
        let unreadyReason = await storeUnreadyReason()
        looking.withLockedValue { $0 = nil }
        last.withLockedValue { $0 = (now, unreadyReason) }
        return unreadyReason
    }

    private func storeUnreadyReason() async -> UnreadyReason? {
        guard store.oldestChangeAge < Self.longestWait else { return .store }
        let hasKeys = try? await store.read { repositories in
            try repositories.serverKeys.all().contains { $0.purpose == .forms }
        }
        guard hasKeys == true, await takesChanges() else { return .store }
        return nil
    }

    /// Whether changes can be made; if the last one failed, another one is tried.
    private func takesChanges() async -> Bool {
        guard cache.isUnavailable else { return true }
        let key = RateCounterKey(LimitName("readiness"), of: "")
        let now = clock.now()
        return (try? await cache.change { _ = try $0.counts.add(1, to: key, lasting: 60, at: now) }) != nil
    }
}
