internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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

    func optionalText(_ column: Int) -> String? { reader.text(column) }

    func optionalInteger(_ column: Int) -> Int? { reader.integer(column) }

    func optionalBytes(_ column: Int) -> [UInt8]? { reader.bytes(column) }

    func optionalInstant(_ column: Int) -> Date? {
        reader.real(column).map(Date.init(timeIntervalSinceReferenceDate:))
    }

    func optionalIdentifier<Kind: Countersign.Identifier>(_ column: Int) -> Kind? {
        reader.text(column).map(Kind.init(rawValue:))
    }

    func text(_ column: Int) throws -> String {
        guard let text = reader.text(column) else { throw UnreadableRow(column: "null where a text belongs") }
        return text
    }

    package func integer(_ column: Int) throws -> Int {
        guard let integer = reader.integer(column) else { throw UnreadableRow(column: "null where a number belongs") }
        return integer
    }

    func real(_ column: Int) throws -> Double {
        guard let real = reader.real(column) else { throw UnreadableRow(column: "null where a number belongs") }
        return real
    }

    func bytes(_ column: Int) throws -> [UInt8] {
        guard let bytes = reader.bytes(column) else { throw UnreadableRow(column: "null where bytes belong") }
        return bytes
    }

    func bool(_ column: Int) throws -> Bool { try integer(column) == 1 }

    func instant(_ column: Int) throws -> Date { Date(timeIntervalSinceReferenceDate: try real(column)) }

    func identifier<Kind: Countersign.Identifier>(_ column: Int) throws -> Kind { Kind(rawValue: try text(column)) }

    func digest(_ column: Int) throws -> SecretDigest { SecretDigest(restoring: try bytes(column)) }

    func optionalDigest(_ column: Int) -> SecretDigest? { optionalBytes(column).map { SecretDigest(restoring: $0) } }

    func scope(_ column: Int) throws -> Scope {
        guard let scope = Scope(parsing: try text(column)) else { throw UnreadableRow(column: "scope") }
        return scope
    }

    /// A case of an enumeration that is stored by name.
    func name<Name: RawRepresentable<String>>(_ column: Int, as type: Name.Type = Name.self) throws -> Name {
        guard let name = Name(rawValue: try text(column)) else { throw UnreadableRow(column: "\(type)") }
        return name
    }

    /// Reads the JSON in a column.
    func document<Document: Decodable>(_ column: Int, as type: Document.Type = Document.self) throws -> Document {
        try JSONDecoder().decode(type, from: Data(try text(column).utf8))
    }
}

/// A row that this version cannot understand.
struct UnreadableRow: Error, CustomStringConvertible {
    let column: String

    var description: String { "A row cannot be read (\(column)). The database may be damaged." }
}
