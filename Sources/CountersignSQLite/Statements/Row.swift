internal import Foundation
internal import GRDBSQLite

/// The row at which a statement stands; good only until the statement goes on.
struct Row {
    let statement: OpaquePointer

    func hasNull(atIndex index: Int) -> Bool { sqlite3_column_type(statement, Int32(index)) == SQLITE_NULL }

    subscript(index: Int) -> String {
        let index = Int32(index)
        guard let text = sqlite3_column_text(statement, index) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, index))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    subscript(index: Int) -> Double { sqlite3_column_double(statement, Int32(index)) }

    subscript(index: Int) -> Int { Int(sqlite3_column_int64(statement, Int32(index))) }

    subscript(index: Int) -> String? { hasNull(atIndex: index) ? nil : self[index] as String }

    subscript(index: Int) -> Double? { hasNull(atIndex: index) ? nil : self[index] as Double }

    subscript(index: Int) -> Int? { hasNull(atIndex: index) ? nil : self[index] as Int }

    subscript(index: Int) -> Data? { hasNull(atIndex: index) ? nil : Data(bytes(index)) }

    func bytes(_ index: Int) -> [UInt8] {
        let index = Int32(index)
        guard let first = sqlite3_column_blob(statement, index) else { return [] }
        return Array(UnsafeRawBufferPointer(start: first, count: Int(sqlite3_column_bytes(statement, index))))
    }
}
