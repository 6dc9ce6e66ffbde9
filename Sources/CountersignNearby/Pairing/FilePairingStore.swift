internal import NIOConcurrencyHelpers

/// Keeps pairings in a file that only this user can read (mode 0600), replaced atomically by every change.
///
/// Processes that use the same file exclude one another while they change it. A file that other users can read is
/// refused: its keys may be known.
public final class FilePairingStore: PairingStore {
    private static let longest = 1 << 20

    private let directory: PrivateDirectory
    private let name: String
    /// Excludes threads of this process from one another; a lock on a file excludes processes.
    private let threads = NIOLock()

    /// A store in a file.
    ///
    /// - Parameter path: The file. The first change creates it, and its directory, for this user only.
    public init(path: String) { (directory, name) = PrivateDirectory.containing(fileAt: path) }

    /// Reads the file.
    ///
    /// - Returns: The stored pairings; an empty book when there is no file.
    /// - Throws: ``PairingStoreError`` `notRead` when it cannot be read or other users can read it, `damaged` when it
    ///   holds something else.
    public func read() throws(PairingStoreError) -> PairingBook {
        threads.lock()
        defer { threads.unlock() }
        return try load()
    }

    /// Reads, changes and replaces the file while no other process does; on disk when it returns.
    ///
    /// - Parameter change: Changes the stored pairings.
    /// - Throws: ``PairingStoreError`` `notWritten`, or what ``read()`` throws.
    public func change(_ change: (inout PairingBook) -> Void) throws(PairingStoreError) {
        threads.lock()
        defer { threads.unlock() }
        let lock = try Self.translating { () throws(PrivateFileError) in
            try directory.make()
            return try FileLock.wait(for: directory.at("\(name).lock"))
        }
        defer { lock.release() }
        var book = try load()
        let before = book
        change(&book)
        guard book != before else { return }
        let bytes = try book.written
        try Self.translating { () throws(PrivateFileError) in try directory.replace(name, by: bytes) }
    }

    private func load() throws(PairingStoreError) -> PairingBook {
        let bytes = try Self.translating { () throws(PrivateFileError) in
            try directory.read(name, refusesExposed: true, upTo: Self.longest)
        }
        guard let bytes else { return PairingBook() }
        return try PairingBook(parsing: bytes)
    }

    private static func translating<Value>(
        _ work: () throws(PrivateFileError) -> Value
    ) throws(PairingStoreError) -> Value {
        do throws(PrivateFileError) {
            return try work()
        } catch {
            let code: PairingStoreError.Code =
                switch error.code {
                case .notRead, .exposed: .notRead
                case .notWritten, .notRemoved: .notWritten
                case .tooLong: .damaged
                }
            throw PairingStoreError(code, because: error.reason)
        }
    }
}
