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
    /// Copies the database into a new file that its owner alone can read, while the server goes on.
    ///
    /// The copy is the state of one moment, whole, and is on the disk when this returns.
    ///
    /// - Throws: ``BackupFailed``.
    public func backUp(to file: URL) throws {
        try NewFile.make(at: file.path)
        do {
            let copy = try DatabaseQueue(path: file.path)
            try pool.backup(to: copy)
            // One file and nothing beside it.
            try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try copy.close()
        } catch {
            try? FileManager.default.removeItem(at: file)
            throw BackupFailed(isThereAlready: false, reason: "\(error)")
        }
    }
}

/// Why there is no copy.
public struct BackupFailed: Error, Sendable {
    /// Whether a file with this name is there, which is never written over.
    public let isThereAlready: Bool
    /// What the system or the database said.
    public let reason: String
}

private enum NewFile {
    /// Makes an empty file for its owner only. SQLite would write into one that is there, and give a new one the rights
    /// of the moment.
    static func make(at path: String) throws(BackupFailed) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw BackupFailed(isThereAlready: errno == EEXIST, reason: String(cString: strerror(errno)))
        }
        close(descriptor)
    }
}
