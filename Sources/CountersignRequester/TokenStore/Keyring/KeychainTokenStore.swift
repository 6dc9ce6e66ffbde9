#if canImport(Security)
public import Countersign
internal import FoundationEssentialsCompat
internal import NIOConcurrencyHelpers
internal import Security

/// Stores each item in the Keychain, readable on this device after its first unlock. Not compiled on Linux.
///
/// The apps that can read an item are those with its access group in their entitlements; that is the ``TokenGroup``
/// here. Items are neither synchronised to other devices nor included in backups that could be restored on another one.
///
/// The Keychain has no locks: ``exclusively(for:_:)`` locks files in a directory, which apps of one access group must
/// have in common (that of their app group). The system ends an app that is suspended while it holds a lock in such a
/// directory: renew tokens in a background task.
public final class KeychainTokenStore: TokenStore, Sendable {
    /// The apps that share the items; `nil` for the app's own group.
    private let accessGroup: TokenGroup?
    /// The name of the items in the Keychain.
    private let service: String
    private let locks: CrossProcessLocks
    private let lockTimeout: Duration
    private let announcer = TokenStoreAnnouncer()
    /// The items that were read or written last, to notice what other apps change.
    private let seen = NIOLockedValueBox<[TokenStoreKey: [UInt8]]>([:])

    /// A store of the items that apps of `accessGroup` share, or that only this app has.
    ///
    /// - Parameters:
    ///   - service: The name of the items in the Keychain.
    ///   - accessGroup: The apps that share the items; `nil` for the app's own group.
    ///   - locks: A directory of this app or of its app group.
    ///   - lockTimeout: The time that another task or process may hold the lock of an item before that is the error
    ///     `busy`.
    ///   - clock: The time, for waiting only.
    public init(
        service: String = "countersign",
        accessGroup: TokenGroup? = nil,
        lockingIn locks: String,
        lockTimeout: Duration = .seconds(120),
        clock: TimeSource
    ) {
        self.accessGroup = accessGroup
        self.service = service
        self.lockTimeout = lockTimeout
        self.locks = CrossProcessLocks(in: PrivateDirectory(path: locks), clock: clock)
    }

    /// Reads an item from the Keychain.
    ///
    /// - Throws: ``TokenStoreError`` `notRead` or `keyringUnavailable`.
    public func load(_ key: TokenStoreKey) throws(TokenStoreError) -> [UInt8]? {
        var query = try query(for: key)
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound {
            note(nil, for: key)
            return nil
        }
        guard status == errSecSuccess, let data = found as? Data else { throw Self.failure(.notRead, status) }
        note(Array(data), for: key)
        return Array(data)
    }

    /// Adds or replaces an item in the Keychain.
    ///
    /// - Throws: ``TokenStoreError`` `notWritten` or `keyringUnavailable`.
    public func save(_ item: [UInt8], for key: TokenStoreKey) throws(TokenStoreError) {
        let query = try query(for: key)
        let value: [String: Any] = [
            kSecValueData as String: Data(item),
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        var status = SecItemUpdate(query as CFDictionary, value as CFDictionary)
        if status == errSecItemNotFound {
            status = SecItemAdd(query.merging(value) { $1 } as CFDictionary, nil)
            // Another process may have added it in the meantime.
            if status == errSecDuplicateItem { status = SecItemUpdate(query as CFDictionary, value as CFDictionary) }
        }
        guard status == errSecSuccess else { throw Self.failure(.notWritten, status) }
        note(item, for: key)
    }

    /// Removes an item from the Keychain.
    ///
    /// - Throws: ``TokenStoreError`` `notRemoved` or `keyringUnavailable`.
    public func remove(_ key: TokenStoreKey) throws(TokenStoreError) {
        let status = SecItemDelete(try query(for: key) as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else { throw Self.failure(.notRemoved, status) }
        note(nil, for: key)
    }

    /// Lists the keys of all items.
    ///
    /// - Throws: ``TokenStoreError`` `notRead` or `keyringUnavailable`.
    public func keys() throws(TokenStoreError) -> [TokenStoreKey] {
        var query = query
        query[kSecReturnAttributes as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitAll
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return [] }
        guard status == errSecSuccess, let items = found as? [[String: Any]] else {
            throw Self.failure(.notRead, status)
        }
        return items.compactMap { item in
            (item[kSecAttrAccount as String] as? String).flatMap {
                try? JSONDecoder().decode(TokenStoreKey.self, from: Data($0.utf8))
            }
        }.sorted()
    }

    /// Runs `body` while no other task or process does so for the same key.
    ///
    /// - Throws: ``TokenStoreError`` `busy`, `CancellationError`, or what `body` throws.
    public func exclusively<Value: Sendable>(
        for key: TokenStoreKey,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await locks.holding("\(key.fileName).lock", timeout: lockTimeout, body)
    }

    /// The keys whose items may have changed.
    public var changes: TokenStoreChanges { announcer.watch() }
}

extension KeychainTokenStore {
    /// A store by the clocks of this machine; for the parameters see
    /// ``init(service:accessGroup:lockingIn:lockTimeout:clock:)``.
    ///
    /// - Parameters:
    ///   - accessGroup: The apps of one team that share the items; `nil`, the default, for this app alone.
    ///   - locks: A directory that those apps share; it is made when it is missing.
    public convenience init(accessGroup: TokenGroup? = nil, lockingIn locks: String) {
        self.init(accessGroup: accessGroup, lockingIn: locks, clock: .system)
    }

    /// Records the stored items, and notifies the watchers of differences.
    private func note(_ item: [UInt8]?, for key: TokenStoreKey) {
        let isNew = seen.withLockedValue { seen in
            defer { seen[key] = item }
            return seen[key] != item
        }
        if isNew { announcer.announce(key) }
    }

    /// The attributes that all items have in common.
    private var query: [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecUseDataProtectionKeychain as String: true,
        ]
        if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup.rawValue }
        return query
    }

    /// The attributes of one item.
    private func query(for key: TokenStoreKey) throws(TokenStoreError) -> [String: Any] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let account = try? encoder.encode(key) else {
            throw TokenStoreError(.notRead, because: "\(key) cannot be written as JSON")
        }
        var query = query
        query[kSecAttrAccount as String] = String(decoding: account, as: UTF8.self)
        return query
    }

    /// The error for a status of the Keychain.
    private static func failure(_ code: TokenStoreError.Code, _ status: OSStatus) -> TokenStoreError {
        // The device was not unlocked since it was started, or the app has no such access group.
        let isLocked = status == errSecInteractionNotAllowed || status == errSecMissingEntitlement
        let words = SecCopyErrorMessageString(status, nil) as String? ?? ""
        return TokenStoreError(isLocked ? .keyringUnavailable : code, because: "Keychain: \(status) \(words)")
    }
}
#endif
