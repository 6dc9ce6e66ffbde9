public import CountersignWire

/// The server's own keys.
public protocol ServerKeyRepository {
    /// Adds a new key.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when the identifier is taken.
    func insert(_ key: ServerKey) throws
    /// All keys, oldest first.
    func all() throws -> [ServerKey]
    /// Replaces the key of the same identifier.
    func update(_ key: ServerKey) throws
    /// Removes a key, if it exists.
    func remove(_ id: JSONWebKey.ID) throws
}
