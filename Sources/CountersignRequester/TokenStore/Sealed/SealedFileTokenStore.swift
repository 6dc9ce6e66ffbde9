public import Countersign
internal import NIOConcurrencyHelpers

/// Stores the items of a group in one encrypted file, for all processes of this user that name the group.
///
/// ```swift
/// let store = SealedFileTokenStore(directory: "/var/lib/radio/tokens", group: TokenGroup("radio"))
/// ```
///
/// The file is encrypted by ChaCha20-Poly1305 with a key that is stored elsewhere: in a ``KeyFile`` beside it, unless
/// another ``SealingKeyPlace`` is given. It is replaced as a whole, so that a crash leaves the old or the new one;
/// changes of several processes are made one after another. A file that cannot be decrypted, or whose key is gone, is
/// reported and left as it is: it is never overwritten.
public final class SealedFileTokenStore: TokenStore, Sendable {
    private struct State {
        /// What was read or written last, to notice what others change.
        var seen = SealedItems()
        var hasTakenOver = false
    }

    private let directory: PrivateDirectory
    private let group: TokenGroup
    /// Where the key is stored.
    private let keyPlace: any SealingKeyPlace
    private let locks: Locks
    private let patience: Duration
    private let random: RandomSource
    private let announcer = TokenStoreAnnouncer()
    private let state = NIOLockedValueBox(State())

    /// A store in the directory at `path`, which is made, private, when it is first needed.
    ///
    /// - Parameters:
    ///   - path: The directory, on a file system of this machine.
    ///   - group: Who shares what is kept.
    ///   - keyPlace: Where the key is kept; `nil` for the file `key` in the directory.
    ///   - patience: How long somebody else may be busy with the same item before that is an error; a quarter of it
    ///     for the moments in which others write.
    ///   - clock: The time, for waiting only.
    ///   - random: What keys and nonces are drawn from; its bytes must never repeat.
    public init(
        directory path: String,
        group: TokenGroup = .standard,
        sealedBy keyPlace: (any SealingKeyPlace)? = nil,
        patience: Duration = .seconds(120),
        clock: TimeSource,
        drawingFrom random: RandomSource
    ) {
        let directory = PrivateDirectory(path: path.isEmpty ? "." : path)
        self.directory = directory
        self.group = group
        self.keyPlace = keyPlace ?? KeyFile(at: directory.at("key"))
        self.patience = patience
        self.random = random
        locks = Locks(in: directory, clock: clock)
    }

    /// Decrypts the file and reads an item; `nil` when there is none.
    ///
    /// - Parameter key: The key of the item.
    /// - Throws: ``TokenStoreError``: `damaged`, `wrongKey`, `keyMissing`, `keyUnfit`, `keyringUnavailable` or
    ///   `notRead`.
    public func load(_ key: TokenStoreKey) async throws(TokenStoreError) -> [UInt8]? {
        try await takeOver()
        if let item = try await read()[key] { return item }
        guard !takesOver || !clearText.hasFile(for: key) else {
            throw TokenStoreError(.damaged, because: "the file of an earlier version for \(key) cannot be read")
        }
        return nil
    }

    /// Adds or replaces an item, on disk before this returns.
    ///
    /// - Parameters:
    ///   - item: The bytes to store.
    ///   - key: The key of the item.
    /// - Throws: ``TokenStoreError``: `notWritten`, `busy`, or those of ``load(_:)``.
    public func save(_ item: [UInt8], for key: TokenStoreKey) async throws(TokenStoreError) {
        try await change { items in items[key] = item }
        if takesOver { try clearText.removeFile(for: key) }
    }

    /// Removes an item, on disk before this returns.
    ///
    /// - Parameter key: The key of the item.
    /// - Throws: ``TokenStoreError``: `notWritten`, `busy`, or those of ``load(_:)``.
    public func remove(_ key: TokenStoreKey) async throws(TokenStoreError) {
        try await change { items in items[key] = nil }
        if takesOver { try clearText.removeFile(for: key) }
    }

    /// Lists the keys of all items, sorted.
    ///
    /// - Throws: ``TokenStoreError``, as ``load(_:)``.
    public func keys() async throws(TokenStoreError) -> [TokenStoreKey] {
        try await takeOver()
        return try await read().keys
    }

    /// Runs `body` while no other task or process does so for the same key of the group.
    ///
    /// - Parameters:
    ///   - key: The key of the item.
    ///   - body: What to do with the item.
    /// - Throws: ``TokenStoreError`` `busy`, `CancellationError`, or what `body` throws.
    public func exclusively<Value: Sendable>(
        for key: TokenStoreKey,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await locks.holding("\(group.fileName).\(key.fileName).lock", waitingAtMost: patience, body)
    }

    /// The keys whose items may have changed.
    public var changes: TokenStoreChanges { announcer.watch() }
}

extension SealedFileTokenStore {
    /// The ending of what is sealed, whatever its group.
    private static let ending = ".sealed"
    /// What a change may wait for the changes of others: a quarter of what a turn may wait, since each takes a moment only.
    private var patienceForChanges: Duration { patience / 4 }

    /// The name of the group's file.
    private var file: String { "\(group.fileName)\(Self.ending)" }
    private var clearText: ClearTextSignIns { ClearTextSignIns(directory: directory) }
    private var takesOver: Bool { group == .standard }

    /// Reads all items in the file.
    private func read() async throws(TokenStoreError) -> SealedItems {
        guard let bytes = try directory.read(file) else { return note(SealedItems()) }
        guard let key = try await keyPlace.find() else { throw keyMissing }
        return note(try SealedItems(reading: Seal(by: key, for: group).opened(bytes)))
    }

    /// Changes the items, on disk before this returns.
    private func change(_ edit: @escaping @Sendable (inout SealedItems) -> Void) async throws(TokenStoreError) {
        try await takeOver()
        try await exclusiveChange { items in edit(&items) }
    }

    /// Seals what an earlier version kept in the clear, and removes its files; those that cannot be read stay.
    private func takeOver() async throws(TokenStoreError) {
        guard takesOver, !state.withLockedValue(\.hasTakenOver) else { return }
        let clearText = clearText
        if try !clearText.names().isEmpty {
            let taken = try await exclusiveChange { (items: inout SealedItems) -> [String] in
                // Looked for again: another process may have taken them over by now.
                let files = ((try? clearText.names()) ?? []).compactMap(clearText.read)
                for file in files {
                    if let item = items[file.key], !file.kept.isLater(than: item) { continue }
                    items[file.key] = file.item
                }
                return files.map(\.name)
            }
            for name in taken { try directory.remove(name) }
        }
        state.withLockedValue { $0.hasTakenOver = true }
    }

    /// Reads, changes and writes while no other process does; goes through although the task is cancelled.
    private func exclusiveChange<Value: Sendable>(
        _ edit: @escaping @Sendable (inout SealedItems) -> Value
    ) async throws(TokenStoreError) -> Value {
        let lock = "\(group.fileName).lock"
        // A task of its own is not cancelled with the one that waits for it.
        let outcome: Result<Value, TokenStoreError> = await Task {
            do {
                return .success(
                    try await locks.holding(lock, waitingAtMost: patienceForChanges) {
                        let key = try await key()
                        var items = try await read()
                        let before = items
                        let value = edit(&items)
                        if items != before { try write(items, under: key) }
                        return value
                    }
                )
            } catch let error as TokenStoreError {
                return .failure(error)
            } catch {
                return .failure(TokenStoreError(.notWritten, because: String(describing: error)))
            }
        }.value
        return try outcome.get()
    }

    /// Encrypts the items and replaces the file.
    private func write(_ items: SealedItems, under key: SealingKey) throws(TokenStoreError) {
        let bytes = try Seal(by: key, for: group).sealed(try items.written, drawing: random.bytes(12))
        guard bytes.count <= PrivateDirectory.longestFile else {
            throw TokenStoreError(.notWritten, because: "the group \(group) keeps too much")
        }
        try directory.replace(file, by: bytes)
        note(items)
    }

    /// The key; made when nothing was ever sealed here.
    private func key() async throws(TokenStoreError) -> SealingKey {
        // In this order: a key is always there before anything is sealed by it.
        let hasSealed = try directory.names().contains { $0.hasSuffix(Self.ending) }
        if let key = try await keyPlace.find() { return key }
        guard !hasSealed, let key = SealingKey(revealing: random.bytes(SealingKey.length)) else { throw keyMissing }
        return try await keyPlace.keep(key)
    }

    /// The error for a file whose key is gone.
    private var keyMissing: TokenStoreError {
        TokenStoreError(.keyMissing, because: "there is no key to what is kept in \(directory.path)")
    }

    /// Remembers what is kept, and tells the watchers what differs from before.
    @discardableResult
    private func note(_ items: SealedItems) -> SealedItems {
        let changed = state.withLockedValue { state in
            defer { state.seen = items }
            return items.differences(from: state.seen)
        }
        for key in changed { announcer.announce(key) }
        return items
    }
}
