internal import Atomics
internal import NIOConcurrencyHelpers
internal import FoundationEssentialsCompat

/// A store with a cache for look-ups.
///
/// A look-up first runs on the cache, on the thread of its caller. If a row is missing, the look-up runs again on the
/// store, and its rows are cached. The store announces changes, and changed rows are dropped before the caller of the
/// change is answered: after the response to a revocation, this process no longer accepts the token. Other processes
/// follow a moment later. Changes always run on the store.
final class CachingStore: Store {
    private let base: any Store
    private let cache: NIOLockedValueBox<RowCache>
    private let lastChangeFailed = ManagedAtomic(false)

    /// Whether the last change failed because the store was unavailable.
    var isUnavailable: Bool { lastChangeFailed.load(ordering: .relaxed) }

    init(_ base: any Store, capacities: RowCache.Capacities = .init()) {
        self.base = base
        let cache = NIOLockedValueBox(RowCache(capacities))
        self.cache = cache
        base.observe { changes in
            let dropped = cache.withLockedValue { $0.invalidate(changes) }
            withExtendedLifetime(dropped) {}
        }
    }

    /// The number of cached rows.
    var count: Int { cache.withLockedValue { $0.count } }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any Repositories) throws -> Value) async throws -> Value {
        try await read(prefetching: [], body)
    }

    func read<Value: Sendable>(
        prefetching prefetched: [PrefetchedRow], _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let (moment, isCurrent) = cache.withLockedValue { ($0.moment, $0.isCurrent) }
        guard isCurrent else { return try await base.read(prefetching: prefetched, body) }
        if let outcome = cached(body, asOf: moment) { return try outcome.get() }
        let (value, rows) = try await base.read(prefetching: prefetched) { [cache] repositories in
            let pass = CacheAccess(reading: repositories, besides: cache)
            return (try body(CachedRepositories(pass: pass)), pass.rows)
        }
        put(rows, asOf: moment)
        return value
    }

    /// Looks up on the cache, and then on the store, if that is synchronous.
    func lookUp<Value>(_ body: (any Repositories) throws -> Value) throws -> Value? {
        let (moment, isCurrent) = cache.withLockedValue { ($0.moment, $0.isCurrent) }
        guard isCurrent else { return try base.lookUp(body) }
        if let outcome = cached(body, asOf: moment) { return try outcome.get() }
        let found = try base.lookUp { repositories in
            let pass = CacheAccess(reading: repositories, besides: cache)
            return (try body(CachedRepositories(pass: pass)), pass.rows)
        }
        guard let (value, rows) = found else { return nil }
        put(rows, asOf: moment)
        return value
    }

    /// Runs `body` on the cache alone; `nil` when a row is not cached.
    ///
    /// - Throws: what `body` throws.
    func cached<Value>(_ body: (any Repositories) throws -> Value) throws -> Value? {
        let (moment, isCurrent) = cache.withLockedValue { ($0.moment, $0.isCurrent) }
        guard isCurrent else { return nil }
        return try cached(body, asOf: moment)?.get()
    }

    /// Runs `body` on the cache; `nil` when a row is not cached, or the cache changed meanwhile.
    private func cached<Value>(
        _ body: (any Repositories) throws -> Value, asOf moment: RowCache.Moment
    ) -> Result<Value, any Error>? {
        let pass = CacheAccess(on: cache)
        let outcome = Result { try body(CachedRepositories(pass: pass)) }
        // The result after a miss is invalid.
        guard !pass.missed, cache.withLockedValue({ $0.moment }) == moment else { return nil }
        return outcome
    }

    func change<Value: Sendable>(_ body: @escaping @Sendable (any Repositories) throws -> Value) async throws -> Value {
        try await change(prefetching: [], body)
    }

    func change<Value: Sendable>(
        prefetching prefetched: [PrefetchedRow], _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        let moment = cache.withLockedValue { $0.moment }
        do {
            let (value, rows) = try await base.change(prefetching: prefetched) { repositories in
                let pass = CacheAccess(changing: repositories)
                return (try body(CachedRepositories(pass: pass)), pass.rows)
            }
            if isUnavailable { lastChangeFailed.store(false, ordering: .relaxed) }
            put(rows, asOf: moment)
            return value
        } catch let error as StoreUnavailableError {
            lastChangeFailed.store(true, ordering: .relaxed)
            throw error
        }
    }

    func observe(_ observer: @escaping @Sendable ([StoreChange]) -> Void) {
        base.observe(observer)
    }

    var oldestChangeAge: Duration { base.oldestChangeAge }

    var isShared: Bool { base.isShared }

    func databaseDate() async throws -> Date? { try await base.databaseDate() }

    private func put(_ rows: [any CachedRow], asOf moment: RowCache.Moment) {
        guard !rows.isEmpty else { return }
        let displaced = cache.withLockedValue { cache in rows.compactMap { cache.put($0, asOf: moment) } }
        withExtendedLifetime(displaced) {}
    }
}
