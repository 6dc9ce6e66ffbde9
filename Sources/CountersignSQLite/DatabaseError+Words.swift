internal import GRDB

extension DatabaseError {
    /// The error in words for a person.
    ///
    /// SQLite's own text is that of the last call on a connection, and may be "not an error" by the time that it is
    /// read: the code is what counts.
    var words: String {
        switch resultCode {
        case .SQLITE_FULL: "the disk is full"
        case .SQLITE_BUSY, .SQLITE_LOCKED: "the database is locked by another process"
        case .SQLITE_NOTADB: "file is not a database"
        default: message.flatMap { $0 == Self.noError ? nil : $0 } ?? "SQLite error \(extendedResultCode)"
        }
    }

    /// The text of a connection whose last call went well.
    private static let noError = "not an error"
}
