internal import CountersignSQL
internal import GRDB
internal import GRDBSQLite

/// A connection, used by one thread at a time.
///
/// Every statement is compiled once per connection and cached: by GRDB under its text, and here under its object
/// identity, which is faster. Values are bound and read with SQLite's own functions: with GRDB's arrays and rows a
/// statement takes three times as long.
final class SQLiteConnection: SQLConnection {
    let database: Database
    private var prepared = [SQLStatement: Statement](minimumCapacity: 8)

    init(_ database: Database) {
        self.database = database
    }

    @discardableResult
    func change(_ statement: SQLStatement, _ values: [SQLValue?] = []) throws -> Int {
        let compiled = try bound(statement, to: values)
        defer { sqlite3_reset(compiled) }
        while try step(compiled, of: statement) {}
        return Int(sqlite3_changes(database.sqliteConnection))
    }

    func change(_ statement: SQLStatement, forEach rows: [[SQLValue?]]) throws {
        for row in rows { try change(statement, row) }
    }

    func query(_ statement: SQLStatement, _ values: [SQLValue?], limit: Int, _ body: (SQLRow) throws -> Void) throws {
        let compiled = try bound(statement, to: values)
        // A row is a view of its statement, which must not stay open.
        defer { sqlite3_reset(compiled) }
        var found = 0
        while found < limit, try step(compiled, of: statement) {
            try body(SQLRow(SQLiteRow(statement: compiled)))
            found += 1
        }
    }

    private func bound(_ statement: SQLStatement, to values: [SQLValue?]) throws -> OpaquePointer {
        let compiled = try compiled(statement)
        for (place, value) in values.enumerated() {
            guard value.bind(to: compiled, at: Int32(place + 1)) == SQLITE_OK else { throw failure(of: statement) }
        }
        return compiled
    }

    private func compiled(_ statement: SQLStatement) throws -> OpaquePointer {
        if let compiled = prepared[statement] { return compiled.sqliteStatement }
        let compiled = try database.cachedStatement(sql: statement[.sqlite])
        prepared[statement] = compiled
        return compiled.sqliteStatement
    }

    /// Moves to the next row; returns whether there is one.
    private func step(_ compiled: OpaquePointer, of statement: SQLStatement) throws -> Bool {
        switch sqlite3_step(compiled) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure(of: statement)
        }
    }

    private func failure(of statement: SQLStatement) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(database.sqliteConnection)),
            message: String(cString: sqlite3_errmsg(database.sqliteConnection)),
            sql: statement[.sqlite]
        )
    }
}

/// The current row of a statement.
struct SQLiteRow: SQLRowReader {
    let statement: OpaquePointer

    func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }

    func text(_ column: Int) -> String? {
        let column = Int32(column)
        guard let text = sqlite3_column_text(statement, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    func integer(_ column: Int) -> Int? {
        let integer = Int(sqlite3_column_int64(statement, Int32(column)))
        // SQLite returns 0 for NULL.
        return integer == 0 && isNull(column) ? nil : integer
    }

    func real(_ column: Int) -> Double? {
        let real = sqlite3_column_double(statement, Int32(column))
        return real == 0 && isNull(column) ? nil : real
    }

    func bytes(_ column: Int) -> [UInt8]? {
        // SQLite returns no address for an empty value either.
        guard let first = sqlite3_column_blob(statement, Int32(column)) else { return isNull(column) ? nil : [] }
        return Array(UnsafeRawBufferPointer(start: first, count: Int(sqlite3_column_bytes(statement, Int32(column)))))
    }
}

/// Instructs SQLite to copy the value.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension SQLValue? {
    /// Sets a parameter of a statement; returns SQLite's code.
    func bind(to statement: OpaquePointer, at parameter: Int32) -> Int32 {
        switch self {
        case nil: sqlite3_bind_null(statement, parameter)
        case .integer(let integer): sqlite3_bind_int64(statement, parameter, Int64(integer))
        case .real(let real): sqlite3_bind_double(statement, parameter, real)
        case .text(let text): bind(text, to: statement, at: parameter)
        case .bytes(let bytes): bind(bytes, to: statement, at: parameter)
        }
    }

    private func bind(_ text: String, to statement: OpaquePointer, at parameter: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { characters in
                // A null pointer would mean NULL.
                guard let first = characters.baseAddress else {
                    return sqlite3_bind_text(statement, parameter, "", 0, copied)
                }
                return sqlite3_bind_text(statement, parameter, first, Int32(characters.count), copied)
            }
        }
    }

    private func bind(_ bytes: [UInt8], to statement: OpaquePointer, at parameter: Int32) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            guard let first = bytes.baseAddress, !bytes.isEmpty else {
                return sqlite3_bind_zeroblob(statement, parameter, 0)
            }
            return sqlite3_bind_blob(statement, parameter, first, Int32(bytes.count), copied)
        }
    }
}
