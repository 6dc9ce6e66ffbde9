internal import Foundation
internal import GRDBSQLite

/// A value that can be put into a column.
protocol ColumnValue {
    /// Sets a parameter of a statement; returns SQLite's code.
    func bind(to statement: OpaquePointer, at parameter: Int32) -> Int32
}

/// What can be put into a column: a value, or null.
typealias Column = (any ColumnValue)?

/// Tells SQLite to copy what it is shown.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension String: ColumnValue {
    func bind(to statement: OpaquePointer, at parameter: Int32) -> Int32 {
        var text = self
        return text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { characters in
                // No address would mean null.
                guard let first = characters.baseAddress else {
                    return sqlite3_bind_text(statement, parameter, "", 0, copied)
                }
                return sqlite3_bind_text(statement, parameter, first, Int32(characters.count), copied)
            }
        }
    }
}

extension [UInt8]: ColumnValue {
    func bind(to statement: OpaquePointer, at parameter: Int32) -> Int32 {
        withUnsafeBytes { bytes in
            guard let first = bytes.baseAddress, !bytes.isEmpty else {
                return sqlite3_bind_zeroblob(statement, parameter, 0)
            }
            return sqlite3_bind_blob(statement, parameter, first, Int32(bytes.count), copied)
        }
    }
}

extension Data: ColumnValue {
    func bind(to statement: OpaquePointer, at parameter: Int32) -> Int32 {
        Array(self).bind(to: statement, at: parameter)
    }
}

extension Double: ColumnValue {
    func bind(to statement: OpaquePointer, at parameter: Int32) -> Int32 {
        sqlite3_bind_double(statement, parameter, self)
    }
}

extension Int: ColumnValue {
    func bind(to statement: OpaquePointer, at parameter: Int32) -> Int32 {
        sqlite3_bind_int64(statement, parameter, Int64(self))
    }
}
