#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif
public import FoundationEssentialsCompat
internal import GRDB

extension SQLiteStore {
    /// Copies the database in `directory` into a new file that only its owner can read, while the server keeps running.
    ///
    /// The copy is one consistent state, and is on disk when this returns. The database itself is not changed; its
    /// tables may be those of another version.
    ///
    /// - Parameters:
    ///   - directory: The data directory of a server, which may be running.
    ///   - file: The new file; it must not exist.
    /// - Throws: ``BackupError``, and ``SQLiteStoreOpeningError`` when the database cannot be read.
    public static func backUp(_ directory: URL, to file: URL) throws {
        let path = directory.appendingPathComponent(fileName).path
        guard FileManager.default.fileExists(atPath: path) else {
            throw BackupError(.nothingToCopy, reason: "there is no file \(path)")
        }
        let source: DatabaseQueue
        do {
            source = try DatabaseQueue(path: path, configuration: onlyReading())
            _ = try source.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
        } catch let error as DatabaseError {
            throw SQLiteStoreOpeningError(error, path: path)
        }
        defer { try? source.close() }
        try NewFile.make(at: file.path)
        do {
            let copy = try DatabaseQueue(path: file.path)
            try source.backup(to: copy)
            // Without a WAL, the copy is a single file.
            try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try copy.close()
        } catch {
            try? FileManager.default.removeItem(at: file)
            throw BackupError(.notMade, reason: (error as? DatabaseError)?.words ?? "\(error)")
        }
    }

    static func onlyReading() -> Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        return configuration
    }
}

/// The reason that a backup failed.
public struct BackupError: Error, Sendable {
    /// The kinds of failure.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// There is no database yet.
        case nothingToCopy
        /// A file with the name of the copy exists; it is never overwritten.
        case isThereAlready
        /// The system or the database reported something else.
        case notMade
    }

    /// The kind of failure.
    public let code: Code
    /// The message of the system or the database.
    public let reason: String

    init(_ code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }
}

private enum NewFile {
    /// Creates an empty file for its owner only. SQLite itself would write into an existing file, and create a new one
    /// with the default permissions.
    static func make(at path: String) throws(BackupError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw BackupError(errno == EEXIST ? .isThereAlready : .notMade, reason: String(cString: strerror(errno)))
        }
        close(descriptor)
    }
}
