/// Stores items between runs of an app, for every app of its group.
///
/// A store handles items as bytes; extensions such as ``signedIn(for:)`` read and write their content. A saved item is
/// durable once ``save(_:for:)`` has returned.
public protocol TokenStore: Sendable {
    /// Returns the item that is stored under `key`; `nil` when there is none.
    ///
    /// - Parameter key: The key of the item.
    /// - Throws: ``TokenStoreError`` when the item exists and cannot be read: never report that as `nil`.
    func load(_ key: TokenStoreKey) async throws(TokenStoreError) -> [UInt8]?
    /// Stores an item, instead of the previous one. It is not cancelled with the task.
    ///
    /// - Parameters:
    ///   - item: The bytes to store.
    ///   - key: The key of the item.
    /// - Throws: ``TokenStoreError`` when the item is not stored; the previous one then remains.
    func save(_ item: [UInt8], for key: TokenStoreKey) async throws(TokenStoreError)
    /// Removes the item that is stored under `key`, if there is one. It is not cancelled with the task.
    ///
    /// - Parameter key: The key of the item.
    /// - Throws: ``TokenStoreError`` when the item may still be there.
    func remove(_ key: TokenStoreKey) async throws(TokenStoreError)
    /// Returns the keys of all items, sorted.
    ///
    /// - Throws: ``TokenStoreError`` when they cannot be read.
    func keys() async throws(TokenStoreError) -> [TokenStoreKey]

    /// Runs `body` while no other task or process does so for the same key of the same group.
    ///
    /// Code that replaces an item by what it makes of it (renews a token, registers once for all) runs inside, and
    /// loads the item there first, because another task may have been faster. The other methods may be called inside;
    /// this one only for another key. The lock of a process that ends is released.
    ///
    /// - Parameters:
    ///   - key: The key of the item.
    ///   - body: What to do with the item.
    /// - Throws: ``TokenStoreError`` `busy` when the others take too long, `CancellationError` when the task is
    ///   cancelled before `body` begins, and what `body` throws.
    func exclusively<Value: Sendable>(
        for key: TokenStoreKey,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value

    /// The keys whose items may have changed, one after another, whichever process changed them.
    ///
    /// Changes by other processes are noticed at the latest when this store reads the next time.
    var changes: TokenStoreChanges { get }
}
