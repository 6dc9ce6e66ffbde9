#if canImport(Security)
internal import Foundation
internal import NIOConcurrencyHelpers
internal import Security

/// Keeps pairings as one item of the Keychain, on this device only, in no backup that could be put on another.
///
/// Only Apple's systems have it; it is not compiled on Linux.
public final class KeychainPairingStore: PairingStore {
    private let service: String
    private let turns = NIOLock()

    /// A store whose item is called `service`.
    public init(service: String = "countersign nearby pairings") {
        self.service = service
    }

    public func read() throws(PairingStoreError) -> PairingBook {
        turns.lock()
        defer { turns.unlock() }
        return try load()
    }

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
