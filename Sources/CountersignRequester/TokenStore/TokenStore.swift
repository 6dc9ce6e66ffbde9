/// Keeps what a screen holds, from one start of the app to the next, for every app of its group.
///
/// A store knows items of bytes; what an item means is known by the extensions that read and write it, such as
/// ``signedIn(for:)``. What was saved is safe from a crash once ``save(_:for:)`` has returned.
public protocol TokenStore: Sendable {
    /// What is kept under `key`; `nil` when nothing is.
    func load(_ key: TokenStoreKey) async throws(TokenStoreError) -> [UInt8]?
    /// Keeps `item` under `key`, in place of what was there. Goes through although the task is cancelled.
    func save(_ item: [UInt8], for key: TokenStoreKey) async throws(TokenStoreError)
    /// Forgets what is kept under `key`, if anything is. Goes through although the task is cancelled.
    func remove(_ key: TokenStoreKey) async throws(TokenStoreError)
    /// Everything under which something is kept, in a lasting order.
    func keys() async throws(TokenStoreError) -> [TokenStoreKey]

    /// Runs `body` while nobody else, task or process, does so for the same key of the same group.
    ///
    /// Whoever replaces an item by what it makes of it (renews a token, registers once for all) does that inside, and
    /// loads the item there first: somebody else may have been faster. The other methods may be called inside; this one
    /// only for another key. A process that ends lets go by itself.
    /// - Throws: ``TokenStoreError`` `busy` when the others take too long, `CancellationError` when the task is
    ///   cancelled before `body` begins, and what `body` throws.
    func exclusively<Value: Sendable>(
        for key: TokenStoreKey,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value

    /// The keys whose items may have changed since, one after another, whoever changed them.
    ///
    /// What another process changed is noticed at the latest when this store reads the next time.
    var changes: TokenStoreChanges { get }
}
