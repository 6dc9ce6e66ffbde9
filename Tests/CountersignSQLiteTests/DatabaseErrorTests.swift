import Countersign
import CountersignServer
import GRDB
import Testing

@testable import CountersignSQLite

@Suite("An error of the database")
struct DatabaseErrorTests {
    @Test(arguments: [
        (ResultCode.SQLITE_FULL, StoreUnavailableError.Code.notDone), (.SQLITE_READONLY, .notDone),
        (.SQLITE_BUSY, .notDone),
        (.SQLITE_CORRUPT, .notDone), (.SQLITE_NOTADB, .notDone), (.SQLITE_CANTOPEN, .notDone),
        (.SQLITE_IOERR, .outcomeUnknown), (.SQLITE_IOERR_FSYNC, .outcomeUnknown),
    ])
    func `is known by what the database says`(result: ResultCode, code: StoreUnavailableError.Code) throws {
        let error = DatabaseError(resultCode: result, message: "it said so")
        let unavailable = try #require(error.unavailable)
        #expect(unavailable.code == code)
        #expect(unavailable.description.contains(error.words))
    }

    @Test(arguments: [ResultCode.SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISUSE])
    func `is not what the program itself did wrong`(result: ResultCode) {
        #expect(DatabaseError(resultCode: result).unavailable == nil)
    }

    @Test func `comes out of the store as such`() async throws {
        let directory = TemporaryDirectory()
        let store = try SQLiteStore.open(in: directory.url)
        try await store.pool.write { try $0.execute(sql: "PRAGMA query_only = ON") }
        let unavailable = await #expect(throws: StoreUnavailableError.self) {
            try await store.change { _ = try $0.clients.remove(ClientID("nobody")) }
        }
        #expect(unavailable?.code == .notDone)
        try await store.close()
        await #expect(throws: StoreClosedError.self) { try await store.read { try $0.clients.all().count } }
    }
}
