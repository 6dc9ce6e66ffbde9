internal import Countersign
internal import FoundationEssentialsCompat

/// Reads the columns of one row; each engine implements it.
package protocol SQLRowReader {
    func isNull(_ column: Int) -> Bool
    /// The text in a column; `nil` for NULL, as for the other types.
    func text(_ column: Int) -> String?
    func integer(_ column: Int) -> Int?
    func real(_ column: Int) -> Double?
    func bytes(_ column: Int) -> [UInt8]?
}

/// A row that a query found, read by column index; valid only until the query continues.
package struct SQLRow {
    private let reader: any SQLRowReader

    package init(_ reader: any SQLRowReader) {
        self.reader = reader
    }

    func isNull(_ column: Int) -> Bool { reader.isNull(column) }

    /// The value in a column; only an optional may be NULL.
    subscript<Value: SQLColumnValue>(_ column: Int) -> Value {
        get throws {
            guard let value = try Value.value(in: reader, column) else {
                throw RowDecodingError(column: "null where a \(Value.self) belongs")
            }
            return value
        }
    }

    func optionalText(_ column: Int) -> String? { reader.text(column) }

    func optionalBytes(_ column: Int) -> [UInt8]? { reader.bytes(column) }

    package func integer(_ column: Int) throws -> Int { try self[column] }

    /// Reads the JSON in a column.
    func document<Document: Decodable>(_ column: Int, as type: Document.Type = Document.self) throws -> Document {
        try JSONDecoder().decode(type, from: Data((try self[column] as String).utf8))
    }
}

/// A row that this version cannot understand.
struct RowDecodingError: Error, CustomStringConvertible {
    let column: String

    var description: String { "A row cannot be read (\(column)). The database may be damaged." }
}
