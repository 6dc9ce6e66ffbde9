#if canImport(Security)
internal import NIOConcurrencyHelpers
internal import Security
internal import FoundationEssentialsCompat

/// Keeps pairings as one item of the Keychain, on this device only; backups cannot restore it on another device.
///
/// Only Apple's systems have it; it is not compiled on Linux.
public final class KeychainPairingStore: PairingStore {
    private let service: String
    private let turns = NIOLock()

    /// A store whose item is called `service`.
    ///
    /// - Parameter service: The name of the item in the keychain; two apps that share a keychain need different ones.
    ///   `countersign nearby pairings` by default.
    public init(service: String = "countersign nearby pairings") { self.service = service }

    /// Reads what the keychain holds; an empty book when there is nothing yet.
    ///
    /// - Throws: ``PairingStoreError``: `notRead` when the keychain cannot be read, `damaged` when it holds something
    ///   else.
    public func read() throws(PairingStoreError) -> PairingBook {
        turns.lock()
        defer { turns.unlock() }
        return try load()
    }

    /// Changes what the keychain holds, in one step.
    ///
    /// - Parameter change: Changes the book; it is called once, and no other change happens meanwhile.
    /// - Throws: ``PairingStoreError``: as ``read()``, and `notWritten`; then the keychain holds what it held before.
    public func change(_ change: (inout PairingBook) -> Void) throws(PairingStoreError) {
        turns.lock()
        defer { turns.unlock() }
        var book = try load()
        let before = book
        change(&book)
        if book != before { try save(book) }
    }

    private var query: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: "pairings",
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    private func load() throws(PairingStoreError) -> PairingBook {
        var query = query
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return PairingBook() }
        guard status == errSecSuccess, let data = found as? Data else {
            throw PairingStoreError(.notRead, because: "the Keychain answers \(status)")
        }
        return try PairingBook(parsing: Array(data))
    }

    private func save(_ book: PairingBook) throws(PairingStoreError) {
        let value: [String: Any] = [
            kSecValueData as String: Data(try book.written),
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        var status = SecItemUpdate(query as CFDictionary, value as CFDictionary)
        if status == errSecItemNotFound { status = SecItemAdd(query.merging(value) { $1 } as CFDictionary, nil) }
        guard status == errSecSuccess else {
            throw PairingStoreError(.notWritten, because: "the Keychain answers \(status)")
        }
    }
}
#endif
