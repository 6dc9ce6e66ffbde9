import CountersignServer
import Foundation
import GRDB
import Testing

@testable import CountersignSQLite

@Suite("An error of SQLite")
struct DatabaseErrorWordsTests {
    @Test(arguments: [
        (ResultCode.SQLITE_FULL, "the disk is full"), (.SQLITE_BUSY, "the database is locked by another process"),
        (.SQLITE_BUSY_SNAPSHOT, "the database is locked by another process"),
        (.SQLITE_LOCKED, "the database is locked by another process"), (.SQLITE_NOTADB, "file is not a database"),
    ])
    func `is told in words, whatever the connection says by then`(code: ResultCode, words: String) {
        for message in ["not an error", "database or disk is full", nil] {
            let error = DatabaseError(resultCode: code, message: message)
            #expect(error.words == words)
            let opening = SQLiteStoreOpeningError(error, path: "/data")
            #expect(opening.description.contains("(\(words))"))
            let unavailable = error.unavailable
            #expect(unavailable?.description.contains(words) == true)
            for text in [error.words, opening.description, unavailable?.description ?? ""] {
                #expect(!text.contains("not an error") && !text.contains("SQLite error"))
            }
        }
    }

    @Test func `is told by its code where the connection says that there is none`() {
        let error = DatabaseError(resultCode: .SQLITE_IOERR, message: "not an error")
        #expect(error.words.contains("disk I/O error") && !error.words.contains("not an error"))
        #expect(DatabaseError(resultCode: .SQLITE_IOERR, message: "its own words").words == "its own words")
    }
}
