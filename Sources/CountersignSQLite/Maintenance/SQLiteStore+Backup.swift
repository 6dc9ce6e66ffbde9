#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif
public import Foundation
internal import GRDB

extension SQLiteStore {
    /// Copies the database in `directory` into a new file that its owner alone can read, while the server goes on.
    ///
    /// The copy is the state of one moment, whole, and is on the disk when this returns. Nothing is changed in the
    /// database: it keeps the tables that it has, also when they are those of another version.
    ///
    /// - Throws: ``BackupFailed``, and ``StoreOpeningFailed`` when the database cannot be read at all.
    public static func backUp(_ directory: URL, to file: URL) throws {
        let path = directory.appendingPathComponent(fileName).path
        guard FileManager.default.fileExists(atPath: path) else {
            throw BackupFailed(.nothingToCopy, reason: "there is no file \(path)")
        }
        let source: DatabaseQueue
        do {
            source = try DatabaseQueue(path: path, configuration: onlyReading())
            _ = try source.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
        } catch let error as DatabaseError {
            throw StoreOpeningFailed(error, path: path)
        }
        defer { try? source.close() }
        try NewFile.make(at: file.path)
        do {
            let copy = try DatabaseQueue(path: file.path)
            try source.backup(to: copy)
            // One file and nothing beside it.
            try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try copy.close()
        } catch {
            try? FileManager.default.removeItem(at: file)
            throw BackupFailed(.notMade, reason: "\(error)")
        }
    }

    private static func onlyReading() -> Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        return configuration
    }
}

/// Why there is no copy.
public struct BackupFailed: Error, Sendable {
    /// The kinds of failure.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// There is no database yet.
        case nothingToCopy
        /// A file with the name of the copy is there, which is never written over.
        case isThereAlready
        /// The system or the database reported something else.
        case notMade
    }

    /// What kind of failure it is.
    public let code: Code
    /// What the system or the database said.
    public let reason: String

    init(_ code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }
}

private enum NewFile {
    /// Makes an empty file for its owner only. SQLite would write into one that is there, and give a new one the rights
    /// of the moment.
    static func make(at path: String) throws(BackupFailed) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw BackupFailed(errno == EEXIST ? .isThereAlready : .notMade, reason: String(cString: strerror(errno)))
        }
        close(descriptor)
    }
}
