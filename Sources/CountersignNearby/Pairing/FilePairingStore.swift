internal import NIOConcurrencyHelpers
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Keeps pairings in a file that only this user can read (mode 0600), replaced whole by every change.
///
/// Processes that use the same file take turns. A file that others can read is refused: its keys may be known.
public final class FilePairingStore: PairingStore {
    private static let longest = 1 << 20

    private let path: String
    /// Threads of this process take turns by this, processes by the lock on a file.
    private let turns = NIOLock()

    /// A store in the file at `path`; its directory must be there, or it is made, private, with the first change.
    public init(path: String) {
        self.path = path
    }

    public func read() throws(PairingStoreError) -> PairingBook {
        turns.lock()
        defer { turns.unlock() }
        return try load()
    }

    public func change(_ change: (inout PairingBook) -> Void) throws(PairingStoreError) {
        turns.lock()
        defer { turns.unlock() }
        try makeDirectory()
        let lock = open("\(path).lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw failure(.notWritten) }
        defer { _ = close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure(.notWritten) }
        }
        var book = try load()
        let before = book
        change(&book)
        if book != before { try save(book) }
    }

    private func load() throws(PairingStoreError) -> PairingBook {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return PairingBook() }
            throw failure(.notRead)
        }
        defer { _ = close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw PairingStoreError(.notRead, because: "\(path) is no file")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw PairingStoreError(.notRead, because: "\(path) can be read by others; chmod 600 makes it private")
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = pread(file, &buffer, buffer.count, off_t(bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(.notRead) }
            if count == 0 { return try PairingBook(parsing: bytes) }
            bytes += buffer[..<count]
            guard bytes.count <= Self.longest else { throw PairingStoreError(.damaged, because: "\(path) is too long") }
        }
    }

    private func save(_ book: PairingBook) throws(PairingStoreError) {
        let bytes = try book.written
        let new = "\(path).new"
        // Whoever made it was stopped in the middle: the lock says that nobody is at it.
        unlink(new)
        let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(.notWritten) }
        defer { _ = close(file) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(written)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(.notWritten, removing: new) }
            written += count
        }
        guard fsync(file) == 0, rename(new, path) == 0 else { throw failure(.notWritten, removing: new) }
        let directory = open(directoryPath, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw failure(.notWritten) }
        defer { _ = close(directory) }
        guard fsync(directory) == 0 else { throw failure(.notWritten) }
    }

    private func makeDirectory() throws(PairingStoreError) {
        var made = directoryPath.hasPrefix("/") ? "/" : ""
        for part in directoryPath.split(separator: "/") {
            made += (made.isEmpty || made == "/" ? "" : "/") + part
            guard mkdir(made, 0o700) == 0 || errno == EEXIST else { throw failure(.notWritten) }
        }
    }

    private var directoryPath: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private func failure(_ code: PairingStoreError.Code, removing new: String? = nil) -> PairingStoreError {
        let reason = String(cString: strerror(errno))
        if let new { unlink(new) }
        return PairingStoreError(code, because: "\(path): \(reason)")
    }
}
