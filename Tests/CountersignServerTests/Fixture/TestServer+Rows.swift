import CountersignSQLite
import Foundation
import GRDB

@testable import CountersignServer

extension TestServer {
    /// The tables of everything but the server's own keys.
    static let tables = [
        "clients", "people", "browser_sessions", "exchanges", "sign_ins", "access_tokens", "refresh_tokens",
    ]

    /// Those whose rows have no number, and are in the order of their key.
    private static let tablesByKey: Set = ["refresh_tokens"]

    /// Every row of every table, as text.
    func dump() async throws -> [String] {
        try await store.pool.read { database in
            try Self.tables.flatMap { table in
                let selection =
                    Self.tablesByKey.contains(table)
                    ? "* FROM \(table) ORDER BY 1" : "rowid, * FROM \(table) ORDER BY rowid"
                return try Row.fetchAll(database, sql: "SELECT \(selection)").map { row in
                    "\(table): " + row.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
                }
            }
        }
    }

    /// The number of rows of a table.
    func rows(of table: String) async throws -> Int {
        try await store.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    /// Changes the database behind the server's back.
    func tamper(_ sql: String) async throws {
        try await store.pool.write { try $0.execute(sql: sql) }
    }

    /// The bytes of all files of the database, the log of the last changes included.
    func databaseBytes() throws -> Data {
        let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        return try files.reduce(into: Data()) { $0.append(try Data(contentsOf: $1)) }
    }
}
