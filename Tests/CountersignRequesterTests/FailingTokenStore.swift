import CountersignRequester
import CountersignTesting

/// A store that fails when a test wants it to.
actor FailingTokenStore: TokenStore {
    private let base = MemoryTokenStore()
    private var saving: TokenStoreError.Code?
    private var opening: TokenStoreError.Code?

    /// From now on nothing can be saved, or everything again.
    func fail(saving code: TokenStoreError.Code?) { saving = code }

    /// From now on nothing can be read or written.
    func fail(opening code: TokenStoreError.Code?) { opening = code }

    func load(_ key: TokenStoreKey) async throws(TokenStoreError) -> [UInt8]? {
        try open()
        return await base.load(key)
    }

    func save(_ item: [UInt8], for key: TokenStoreKey) async throws(TokenStoreError) {
        try open()
        if let saving { throw TokenStoreError(saving, because: "a test wants it") }
        await base.save(item, for: key)
    }

    func remove(_ key: TokenStoreKey) async throws(TokenStoreError) {
        try open()
        await base.remove(key)
    }

    func keys() async throws(TokenStoreError) -> [TokenStoreKey] {
        try open()
        return await base.keys()
    }

    nonisolated func exclusively<Value: Sendable>(
        for key: TokenStoreKey,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await base.exclusively(for: key, body)
    }

    nonisolated var changes: TokenStoreChanges { base.changes }

    private func open() throws(TokenStoreError) {
        if let opening { throw TokenStoreError(opening, because: "a test wants it") }
    }
}
