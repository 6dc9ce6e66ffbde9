public import CountersignRequester

/// Keeps items for as long as a test takes.
///
/// ```swift
/// let store = MemoryTokenStore()
/// try await store.save(signedIn, for: .signIn(at: issuer, as: client))
/// ```
public actor MemoryTokenStore: TokenStore {
    private var items: [TokenStoreKey: [UInt8]] = [:]
    private let lock = KeyedLock<TokenStoreKey>()
    private let announcer = TokenStoreAnnouncer()

    /// An empty store.
    public init() {}

    /// Reads an item.
    ///
    /// - Parameter key: The key of the item.
    /// - Returns: The bytes that were saved last; `nil` when there are none.
    public func load(_ key: TokenStoreKey) -> [UInt8]? { items[key] }

    /// Stores an item, and notifies the watchers.
    ///
    /// - Parameters:
    ///   - item: The bytes to keep.
    ///   - key: The key of the item.
    public func save(_ item: [UInt8], for key: TokenStoreKey) {
        items[key] = item
        announcer.announce(key)
    }

    /// Removes an item, and notifies the watchers if there was one.
    ///
    /// - Parameter key: The key of the item.
    public func remove(_ key: TokenStoreKey) {
        guard items.removeValue(forKey: key) != nil else { return }
        announcer.announce(key)
    }

    /// The keys of all items.
    ///
    /// - Returns: The keys, sorted.
    public func keys() -> [TokenStoreKey] { items.keys.sorted() }

    /// Runs `body` while no other task does so for the same key.
    ///
    /// - Parameters:
    ///   - key: The key of the item.
    ///   - body: The work to do; it may take long.
    /// - Returns: The result of `body`.
    /// - Throws: `CancellationError` when the task is cancelled before `body` begins, or what `body` throws.
    public nonisolated func exclusively<Value: Sendable>(
        for key: TokenStoreKey,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await lock.acquire(key)
        defer { lock.release(key) }
        return try await body()
    }

    /// The keys whose items change from now on, one after another.
    public nonisolated var changes: TokenStoreChanges { announcer.watch() }
}
