public import Countersign
internal import NIOConcurrencyHelpers

/// Stores the items of a group in one encrypted file, for all processes of this user that name the group.
///
/// ```swift
/// let store = SealedFileTokenStore(directory: "/var/lib/radio/tokens", group: TokenGroup("radio"))
/// let signIn = SignIn(at: issuer, as: client, for: scope, on: SignInScreen(keepingTokensIn: store))
/// ```
///
/// The key is stored separately: in a ``KeyFile`` next to the file, unless another ``SealingKeyStore`` is given. The
/// file is replaced as a whole, so that a crash leaves the old one or the new one, and processes change it one after
/// another. A file that does not open, or whose key is missing, is reported and never overwritten.
///
/// Standard: RFC 8439 (ChaCha20-Poly1305), RFC 5869 (HKDF).
public final class SealedFileTokenStore: TokenStore, Sendable {
    private let directory: PrivateDirectory
    private let group: TokenGroup
    private let keyPlace: any SealingKeyStore
    /// The locks of items and of the file.
    private let locks: CrossProcessLocks
    private let lockTimeout: Duration
    private let random: RandomSource
    /// Notifies the watchers of changes.
    private let announcer = TokenStoreAnnouncer()
    /// The items that were read or written last, to notice what other processes change.
    private let seen = NIOLockedValueBox(SealedItems())

    /// A store in the directory at `path`, which is created with private permissions on demand.
    ///
    /// - Parameters:
    ///   - path: The directory, on a file system of this machine.
    ///   - group: The apps that share the items.
    ///   - keyPlace: The place of the key; `nil` for the file `key` in the directory.
    ///   - lockTimeout: The time that another task or process may hold the lock of an item before that is the error
    ///     `busy`; a quarter of it for the lock that is held while the file is written.
    ///   - clock: The time, for waiting only.
    ///   - random: The source of keys and nonces; its bytes must never repeat.
    public init(
        directory path: String,
        group: TokenGroup = .standard,
        sealedBy keyPlace: (any SealingKeyStore)? = nil,
        lockTimeout: Duration = .seconds(120),
        clock: TimeSource,
        drawingFrom random: RandomSource
    ) {
        let directory = PrivateDirectory(path: path.isEmpty ? "." : path)
        self.directory = directory
        self.group = group
        self.keyPlace = keyPlace ?? KeyFile(at: directory.at("key"))
        self.lockTimeout = lockTimeout
        self.random = random
        locks = CrossProcessLocks(in: directory, clock: clock)
    }

    /// Reads an item from the file.
    ///
    /// - Returns: The item as it was saved; `nil` when there is none.
    /// - Throws: ``TokenStoreError`` `notRead`; `damaged`, `wrongKey`, `keyMissing` or `keyUnfit` when the file does
    ///   not open.
    public func load(_ key: TokenStoreKey) async throws(TokenStoreError) -> [UInt8]? {
        try await read()[key]
    }

    /// Puts an item into the file, on disk before this returns.
    ///
    /// - Throws: ``TokenStoreError`` `notWritten` or `busy`, or why the file does not open.
    public func save(_ item: [UInt8], for key: TokenStoreKey) async throws(TokenStoreError) {
        try await change { items in items[key] = item }
    }

    /// Takes an item out of the file, on disk before this returns.
    ///
    /// - Throws: ``TokenStoreError`` `notWritten` or `busy`, or why the file does not open.
    public func remove(_ key: TokenStoreKey) async throws(TokenStoreError) {
        try await change { items in items[key] = nil }
    }

    /// Makes sure that an item can be saved: that the directory can be written, and the key exists or can be made.
    ///
    /// - Throws: ``TokenStoreError`` `notWritten` or `busy`, or why the file does not open.
    public func prepareToSave() async throws(TokenStoreError) {
        try await change { _ in }
    }

    /// The keys of all items of the group.
    ///
    /// - Returns: The keys, sorted.
    /// - Throws: ``TokenStoreError`` `notRead`, or why the file does not open.
    public func keys() async throws(TokenStoreError) -> [TokenStoreKey] {
        try await read().keys
    }

    /// Works on an item while no other task or process of the group does.
    ///
    /// - Throws: ``TokenStoreError`` `busy` after `lockTimeout`, `CancellationError` before `body` begins, or what
    ///   `body` throws.
    public func exclusively<Value: Sendable>(
        for key: TokenStoreKey,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await locks.holding("\(group.fileName).\(key.fileName).lock", timeout: lockTimeout, body)
    }

    /// The changed items, by this store or by another process, that this store has read since.
    public var changes: TokenStoreChanges { announcer.watch() }
}

extension SealedFileTokenStore {
    /// The extension of sealed files, whatever their group.
    private static let ending = ".sealed"

    /// The name of the group's file.
    private var file: String { "\(group.fileName)\(Self.ending)" }

    /// Reads all items in the file.
    private func read() async throws(TokenStoreError) -> SealedItems {
        let bytes = try TokenStoreError.translating { () throws(PrivateFileError) in try directory.read(file) }
        guard let bytes else {
            // A place that cannot have a key is reported before something has to be saved there.
            _ = try await keyPlace.find()
            return note(SealedItems())
        }
        guard let key = try await keyPlace.find() else { throw keyMissing }
        return note(try SealedItems(reading: Seal(by: key, for: group).opened(bytes)))
    }

    /// Changes the items while no other process does, on disk before this returns; goes through although the task is
    /// cancelled.
    private func change(_ edit: @escaping @Sendable (inout SealedItems) -> Void) async throws(TokenStoreError) {
        let lock = "\(group.fileName).lock"
        // An unstructured task is not cancelled with the waiting one.
        let outcome: Result<Void, TokenStoreError> = await Task {
            do {
                // A quarter, since each change takes a moment only.
                try await locks.holding(lock, timeout: lockTimeout / 4) {
                    let key = try await key()
                    var items = try await read()
                    let before = items
                    edit(&items)
                    if items != before { try write(items, under: key) }
                }
                return .success(())
            } catch let error as TokenStoreError {
                return .failure(error)
            } catch {
                return .failure(TokenStoreError(.notWritten, because: String(describing: error)))
            }
        }.value
        try outcome.get()
    }

    /// Encrypts the items and replaces the file.
    private func write(_ items: SealedItems, under key: SealingKey) throws(TokenStoreError) {
        let bytes = try Seal(by: key, for: group).sealed(try items.written, drawing: random.bytes(12))
        guard bytes.count <= PrivateDirectory.longestFile else {
            throw TokenStoreError(.notWritten, because: "the group \(group) keeps too much")
        }
        try TokenStoreError.translating { () throws(PrivateFileError) in try directory.replace(file, by: bytes) }
        note(items)
    }

    /// The key; made when nothing was ever sealed here.
    private func key() async throws(TokenStoreError) -> SealingKey {
        // The order matters: a key is always stored before anything is sealed by it.
        let names = try TokenStoreError.translating { () throws(PrivateFileError) in try directory.names() }
        let hasSealed = names.contains { $0.hasSuffix(Self.ending) }
        if let key = try await keyPlace.find() { return key }
        guard !hasSealed, let key = SealingKey(revealing: random.bytes(SealingKey.length)) else { throw keyMissing }
        return try await keyPlace.keep(key)
    }

    /// The error for a file whose key is missing.
    private var keyMissing: TokenStoreError {
        TokenStoreError(.keyMissing, because: "there is no key to what is kept in \(directory.path)")
    }

    /// Records the stored items, and notifies the watchers of differences.
    @discardableResult
    private func note(_ items: SealedItems) -> SealedItems {
        let changed = seen.withLockedValue { seen in
            defer { seen = items }
            return items.differences(from: seen)
        }
        for key in changed { announcer.announce(key) }
        return items
    }
}

extension SealedFileTokenStore {
    /// A store by the clocks and the randomness of this machine.
    ///
    /// ```swift
    /// let store = SealedFileTokenStore(directory: "/var/lib/radio/tokens")
    /// ```
    ///
    /// - Parameters:
    ///   - path: The directory, on a file system of this machine; made with mode 0700 when it is first needed.
    ///   - group: The apps that share the items; programs that name no group share one.
    ///   - keyPlace: The place of the key; `nil` for the file `key` in the directory.
    public convenience init(
        directory path: String,
        group: TokenGroup = .standard,
        sealedBy keyPlace: (any SealingKeyStore)? = nil
    ) {
        self.init(directory: path, group: group, sealedBy: keyPlace, clock: .system, drawingFrom: .system)
    }
}
