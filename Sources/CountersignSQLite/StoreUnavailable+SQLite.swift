internal import CountersignServer
internal import GRDB

extension StoreUnavailable {
    /// The reason behind an error, in a sentence for the log; `nil` when it is a programming error.
    init?(_ error: DatabaseError) {
        let said = error.message ?? error.resultCode.description
        switch error.resultCode {
        case .SQLITE_FULL:
            self.init(.notDone, reason: "the disk is full: \(said). Make room; the server goes on by itself")
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            self.init(.notDone, reason: "it may not be written: \(said). Give this user the right to write it")
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
            self.init(.notDone, reason: "another process kept it locked: \(said). End that process")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(.notDone, reason: "it is damaged: \(said). Restore it from a backup")
        case .SQLITE_CANTOPEN, .SQLITE_NOMEM, .SQLITE_NOLFS:
            self.init(.notDone, reason: "it cannot be reached: \(said). See that the disk is there and healthy")
        case .SQLITE_IOERR:
            self.init(.outcomeUnknown, reason: "the disk failed: \(said). See that it is there and healthy")
        default:
            return nil
        }
    }
}
