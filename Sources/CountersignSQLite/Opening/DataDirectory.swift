#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif
internal import Countersign
internal import Foundation

/// The directory of the database, with permissions for its owner only.
struct DataDirectory {
    let path: String
    var databasePath: String { (path as NSString).appendingPathComponent(SQLiteStore.fileName) }

    /// Finds the directory, or creates it for its owner only.
    init(at directory: URL) throws(SQLiteStoreOpeningError) {
        path = directory.path
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) {
            guard isDirectory.boolValue else {
                throw SQLiteStoreOpeningError(.noDirectory, path: path, reason: "it is a file")
            }
            return
        }
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw SQLiteStoreOpeningError(.noDirectory, path: path, reason: error.localizedDescription)
        }
    }

    /// Runs `body` while no other process is inside this function for the same directory.
    func locked<Value>(_ body: () throws -> Value) throws -> Value {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failed(.noDirectory, path: path) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failed(.noDirectory, path: path) }
        }
        return try body()
    }

    /// Makes sure that the database file exists and that only its owner can read it.
    ///
    /// SQLite gives its `-wal` and `-shm` files the same permissions.
    func prepareFile() throws(SQLiteStoreOpeningError) {
        // An existing file is never opened here: closing it would drop the locks that SQLite holds on it.
        let descriptor = open(databasePath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
            return
        }
        guard errno == EEXIST else { throw failed(.notWritable, path: databasePath) }

        guard let status = FileStatus(following: databasePath) else { throw failed(.unusable, path: databasePath) }
        guard status.kind == .file else {
            throw SQLiteStoreOpeningError(.notADatabase, path: databasePath, reason: "it is not a regular file")
        }
        guard status.permissions & 0o200 != 0, access(databasePath, W_OK) == 0, access(path, W_OK) == 0 else {
            throw SQLiteStoreOpeningError(.notWritable, path: databasePath, reason: "it is read-only")
        }
        guard status.permissions & 0o077 != 0 else { return }
        guard chmod(databasePath, mode_t(status.permissions & 0o700)) == 0 else {
            throw failed(.notWritable, path: databasePath)
        }
    }

    private func failed(_ code: SQLiteStoreOpeningError.Code, path: String) -> SQLiteStoreOpeningError {
        SQLiteStoreOpeningError(code, path: path, reason: String(cString: strerror(errno)))
    }
}
