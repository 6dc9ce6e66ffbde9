/// The server's own keys.
public protocol ServerKeyRepository {
    /// Adds a new key.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when the identifier is taken.
    func insert(_ key: ServerKey) throws
    /// Returns all keys, oldest first.
    func all() throws -> [ServerKey]
    /// Replaces the key of the same identifier; does nothing when there is none.
    func update(_ key: ServerKey) throws
    /// Removes a key, if it exists.
    func remove(_ id: JSONWebKey.ID) throws
}
