#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A lock that one process at a time holds, by `flock` on a file.
///
/// The system releases it when the process ends, however that happens. The file holds the number of that process, for
/// the log of waiting processes; it is removed with the lock, and means nothing by itself when a crash left it behind.
package struct FileLock: Sendable {
    private let file: CInt
    private let path: String

    /// Takes the lock; `nil` when it is held, by this process or another.
    package static func attempt(_ path: String) throws(PrivateFileError) -> FileLock? {
        try take(path, LOCK_EX | LOCK_NB)
    }

    /// Takes the lock, and blocks the thread until it is free.
    package static func wait(for path: String) throws(PrivateFileError) -> FileLock {
        while true {
            if let lock = try take(path, LOCK_EX) { return lock }
        }
    }

    private static func take(_ path: String, _ operation: CInt) throws(PrivateFileError) -> FileLock? {
        while true {
            let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
            guard file >= 0 else { throw failure(path) }
            guard flock(file, operation) == 0 else {
                let reason = errno
                close(file)
                if reason == EWOULDBLOCK { return nil }
                if reason == EINTR { continue }
                errno = reason
                throw failure(path)
            }
            // The last holder may have removed the file since it was opened: then this lock is ineffective.
            if isStill(file, at: path) {
                let lock = FileLock(file: file, path: path)
                lock.sign()
                return lock
            }
            close(file)
        }
    }

    /// Releases the lock, and removes its file.
    package func release() {
        // Before the lock ends, and only this very file: another one belongs to another holder.
        if Self.isStill(file, at: path) { unlink(path) }
        close(file)
    }

    /// The process that holds the lock, as far as can be seen, for the log.
    package static func holder(of path: String) -> String {
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
        // Only informative: a failed write has no effect.
        _ = pwrite(file, digits, digits.count, 0)
        _ = ftruncate(file, off_t(digits.count))
    }

    /// Whether the open file is still the one at the path.
    private static func isStill(_ file: CInt, at path: String) -> Bool {
        guard let held = FileStatus(of: file), let found = FileStatus(at: path) else { return false }
        return held.identity == found.identity
    }

    private static func failure(_ path: String) -> PrivateFileError {
        PrivateFileError(.notWritten, because: "\(path): \(String(cString: strerror(errno)))")
    }
}
