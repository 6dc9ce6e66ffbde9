public import Countersign

/// The reason that the database could not be opened, in a sentence for the person who started the program.
///
/// Two errors are equal when their codes are.
public struct SQLiteStoreOpeningError: CodedError, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// The directory does not exist and cannot be created, or is not a directory.
        case noDirectory
        /// The file or its directory may not be written.
        case notWritable
        /// The file is damaged, or is not a database.
        case notADatabase
        /// Another process held the database's lock for too long.
        case locked
        /// The disk or the system reported something else.
        case unusable
    }

    /// The kind of failure.
    public let code: Code
    /// The file or directory it is about.
    public let path: String
    /// The message of the system or the database, for the log.
    public let reason: String

    init(_ code: Code, path: String, reason: String) {
        self.code = code
        self.path = path
        self.reason = reason
    }

    /// The failure and its remedy.
    public var description: String {
        switch code {
        case .noDirectory:
            "The data directory \(path) cannot be used (\(reason)). Name a directory that you may create or write."
        case .notWritable:
            "The database \(path) cannot be written (\(reason)). Let the user who runs this program write the file"
                + " and its directory."
        case .notADatabase:
            "The file \(path) is damaged or is no SQLite database (\(reason)). Restore it from a backup, or move it"
                + " away to begin with an empty one."
        case .locked:
            "The database \(path) stayed locked by another process (\(reason)). End that process, then try again."
        case .unusable:
            "The database \(path) cannot be opened (\(reason)). See that the disk is healthy and not full."
        }
    }
}
