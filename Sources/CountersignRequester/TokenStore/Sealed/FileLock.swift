#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A lock that one process at a time holds, on a file.
///
/// The system releases it when the process ends, however that happens. The file contains the process number, for the
/// error message of a process that waits; it is removed with the lock, and is ignored when a crash left it behind.
struct FileLock: Sendable {
    /// The descriptor of the locked file.
    private let file: CInt
    private let path: String

    /// Takes the lock; `nil` when another task or process has it.
    static func attempt(_ path: String) throws(TokenStoreError) -> FileLock? {
        while true {
            let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
            guard file >= 0 else { throw failure(path) }
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                defer { close(file) }
                if errno == EWOULDBLOCK { return nil }
                throw failure(path)
            }
            // Whoever had it may have removed the file since it was opened here: then it locks nobody out.
            if isStill(file, at: path) {
                let lock = FileLock(file: file, path: path)
                lock.sign()
                return lock
            }
            close(file)
        }
    }

    /// Releases the lock.
    func release() {
        // Before the lock ends, and only this very file: another one is another's.
        if Self.isStill(file, at: path) { unlink(path) }
        close(file)
    }

    /// The process that holds the lock, as far as can be seen, for a log.
    static func holder(of path: String) -> String {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return "another process" }
        defer { close(file) }
        var digits = [UInt8](repeating: 0, count: 20)
        let count = pread(file, &digits, digits.count, 0)
        guard count > 0, let number = Int32(String(decoding: digits.prefix(count), as: UTF8.self)) else {
            return "another process"
        }
        return "process \(number)"
    }

    /// Writes the process number into the file.
    private func sign() {
        let digits = Array("\(getpid())".utf8)
        // For people only: that it cannot be written changes nothing.
        _ = pwrite(file, digits, digits.count, 0)
        _ = ftruncate(file, off_t(digits.count))
    }

    /// Whether the open file is still the one at the path.
    private static func isStill(_ file: CInt, at path: String) -> Bool {
        var (held, found) = (stat(), stat())
        return fstat(file, &held) == 0 && lstat(path, &found) == 0 && held.st_dev == found.st_dev
            && held.st_ino == found.st_ino
    }

    /// The error for a failed system call.
    private static func failure(_ path: String) -> TokenStoreError {
        TokenStoreError(.notWritten, because: "\(path): \(String(cString: strerror(errno)))")
    }
}
