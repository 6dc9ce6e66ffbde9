/// Keeps tokens and identities from one start of the app to the next, for every app of its group.
///
/// `SealedFileTokenStore` keeps them in a sealed file; on Apple's systems `KeychainTokenStore` keeps them in the
/// Keychain. A store knows items of bytes; what an item means is known by the extensions that read and write it, such
/// as `signedIn(for:)`. Saved data survive a crash once ``save(_:for:)`` has returned.
///
/// An app that keeps them elsewhere writes another store. It has to make all methods work between the processes that
/// share it, or be used by one process only.
public protocol TokenStore: Sendable {
    /// Reads an item.
    ///
    /// - Parameter key: The key of the item.
    /// - Returns: The bytes that were saved last; `nil` when there are none.
    /// - Throws: ``TokenStoreError`` when it cannot be read, or is damaged.
    func load(_ key: TokenStoreKey) async throws(TokenStoreError) -> [UInt8]?

    /// Stores an item, in place of an existing one. Goes through although the task is cancelled.
    ///
    /// - Parameters:
    ///   - item: The bytes to keep, which hold secrets.
    ///   - key: The key of the item.
    /// - Throws: ``TokenStoreError`` when it could not be stored; the previous item is still stored then.
    func save(_ item: [UInt8], for key: TokenStoreKey) async throws(TokenStoreError)

    /// Removes an item, if there is one. Goes through although the task is cancelled.
    ///
    /// - Parameter key: The key of the item.
    /// - Throws: ``TokenStoreError`` when it could not be removed.
    func remove(_ key: TokenStoreKey) async throws(TokenStoreError)

    /// Makes sure that an item can be saved, before a person is asked or a code is spent for it. By default it reads
    /// ``keys()``.
    ///
    /// - Throws: ``TokenStoreError`` when an item could not be saved.
    func prepareToSave() async throws(TokenStoreError)

    /// The keys of all items, sorted.
    ///
    /// - Returns: The keys; empty when nothing is stored.
    /// - Throws: ``TokenStoreError`` when the stored data cannot be read.
    func keys() async throws(TokenStoreError) -> [TokenStoreKey]

    /// Runs `body` while no other task or process does so for the same key of the same group.
    ///
    /// A caller that derives a new item from the old one (renews a token, registers once for all) does that inside, and
    /// loads the item there first: another process may have been faster. The other methods may be called inside; this
    /// one only for another key. When a process ends, the system releases its locks.
    ///
    /// - Parameters:
    ///   - key: The key of the item.
    ///   - body: The work to do; it may take as long as a request to a server.
    /// - Throws: ``TokenStoreError`` `busy` when the others take too long, `CancellationError` when the task is
    ///   cancelled before `body` begins, and what `body` throws.
    func exclusively<Value: Sendable>(
        for key: TokenStoreKey,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value

    /// The keys whose items may have changed since, one after another, whichever process changed them.
    ///
    /// Changes by other processes are noticed at the latest when this store reads the next time.
    var changes: TokenStoreChanges { get }
}

extension TokenStore {
    /// Makes sure that the stored data can be read.
    ///
    /// - Throws: ``TokenStoreError`` when it cannot.
    public func prepareToSave() async throws(TokenStoreError) {
        _ = try await keys()
    }
}
