public import CountersignRequester

/// Keeps items for as long as a test takes.
public actor MemoryTokenStore: TokenStore {
    private var items: [TokenStoreKey: [UInt8]] = [:]
    private let turns = Turns<TokenStoreKey>()
    private let announcer = TokenStoreAnnouncer()

    /// An empty store.
    public init() {}

    public func load(_ key: TokenStoreKey) -> [UInt8]? { items[key] }

    public func save(_ item: [UInt8], for key: TokenStoreKey) {
        items[key] = item
        announcer.announce(key)
    }

    public func remove(_ key: TokenStoreKey) {
        guard items.removeValue(forKey: key) != nil else { return }
        announcer.announce(key)
    }

    public func keys() -> [TokenStoreKey] { items.keys.sorted() }

    public nonisolated func exclusively<Value: Sendable>(
        for key: TokenStoreKey,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await turns.begin(key)
        defer { turns.end(key) }
        return try await body()
    }

    public nonisolated var changes: TokenStoreChanges { announcer.watch() }
}
