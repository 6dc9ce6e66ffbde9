public import CountersignWire

/// The server's own keys.
public protocol ServerKeyRepository {
    /// Adds a new key.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when the identifier is taken.
    func insert(_ key: ServerKey) throws
    /// Returns all keys, oldest first.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func all() throws -> [ServerKey]
    /// Replaces the key of the same identifier; does nothing when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func update(_ key: ServerKey) throws
    /// Removes a key, if it exists.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func remove(_ id: JSONWebKey.ID) throws
}
