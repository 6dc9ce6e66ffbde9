#if PostgreSQL
internal import Countersign
internal import CountersignSQL
public import CountersignStorage
public import FoundationEssentialsCompat

/// A store in one PostgreSQL database that any number of servers share.
///
/// ```swift
/// let store = try PostgresStore.open("postgres://countersign@db.example.com/countersign")
/// let client = try await store.read { try $0.clients.find(ClientID("tv")) }
/// await store.close()
/// ```
///
/// Changes that arrive while others are being committed share the next commit, and each caller is answered when its own
/// is on disk. Lookups run in parallel and never wait for a change. No row is cached here, so the next lookup sees what
/// another node changed; observers are notified by LISTEN and NOTIFY.
///
/// A lost connection is replaced. Lookups are then retried, and so are changes that cannot have been committed; a
/// caller that cannot be answered within some seconds gets ``StoreUnavailableError``. So does one whose commit does not
/// end, as without the synchronous standby that it waits for.
///
/// A task that is cancelled before it asks does nothing. Once asked, a read or change runs to its end, and its caller
/// gets its result. Close the store when it is no longer needed: it does not close automatically.
public final class PostgresStore: Store {
    private let changes: PostgresGroupCommit
    private let reads: PostgresGatheredReads
    private let observers = PostgresChangeObservers()
    private let listener: NotificationListener
    private let clock: TimeSource
    private let metrics: StoreMetrics

    init(
        address: DatabaseAddress,
        node: String,
        readers: Int,
        timeouts: Timeouts,
        clock: TimeSource,
        metrics: StoreMetrics
    ) {
        self.clock = clock
        self.metrics = metrics
        changes = PostgresGroupCommit(clock: clock, timeouts: timeouts) { [observers] in
            BatchWriter(
                address: address, node: node, notifying: observers, timeouts: timeouts, clock: clock, metrics: metrics)
        }
        listener = NotificationListener(address: address, node: node, notifying: observers)
        reads = PostgresGatheredReads(
            address: address, readers: readers, timeouts: timeouts, clock: clock, metrics: metrics)
    }

    /// Reads from one snapshot of the database.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: ``StoreUnavailableError`` when the database cannot be used, ``StoreClosedError`` after ``close()``,
    ///   `CancellationError` when the task is cancelled already, or what `body` throws.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await read(prefetching: [], body)
    }

    /// Reads from one snapshot of the database; the rows that `body` will look up are fetched with one message.
    ///
    /// - Returns: The result of `body`.
    public func read<Value: Sendable>(
        prefetching rows: [PrefetchedRow],
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        return try await metrics.read {
            reads.add(PendingRead(body, prefetching: rows, for: $0, asked: clock.instant()))
        }
    }

    /// Makes one change, and returns when it is on disk.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: ``StoreUnavailableError`` when the change was not made, or when it is unknown whether it was;
    ///   ``StoreClosedError`` after ``close()``, `CancellationError` when the task is cancelled already, or what
    ///   `body` throws.
    public func change<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await change(prefetching: [], body)
    }

    /// Makes one change, and returns when it is on disk; the rows that `body` will look up are fetched with one
    /// message, together with those of other changes.
    ///
    /// - Returns: The result of `body`.
    public func change<Value: Sendable>(
        prefetching rows: [PrefetchedRow],
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        return try await metrics.change {
            changes.add(PendingChange(body, prefetching: rows, for: $0, asked: clock.instant()))
        }
    }

    /// The time that the oldest uncommitted change has waited; zero when there is none.
    public var oldestChangeAge: Duration { changes.oldestAge }

    /// Reads the clock of the database's machine.
    ///
    /// - Returns: The server's date.
    public func databaseDate() async throws -> Date? {
        try Task.checkCancellation()
        return try await metrics.read { (caller: CheckedContinuation<Date, any Error>) in
            reads.add(PendingRead(for: caller, asked: clock.instant()) { connection, _ in try connection.date() })
        }
    }

    /// Notifies an observer of changes from now on, those of other nodes too. The first call waits for the network.
    ///
    /// If notifications of other nodes cannot be received at first, the observer is notified at once.
    public func observe(_ observer: @escaping @Sendable ([StoreChange]) -> Void) {
        listener.begin()
        observers.add(observer)
    }

    /// Finishes pending work, and closes the connections. Later reads and changes throw ``StoreClosedError``.
    public func close() async {
        await listener.close()
        await changes.close()
        await reads.close()
    }
}
#endif
