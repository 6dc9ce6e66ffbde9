internal import Countersign
internal import CountersignServer
internal import Foundation

// How values stand in columns. Instants are the number that `Date` holds itself, so that none is rounded.

extension String {
    /// U+0000 becomes U+FFFD: SQLite ends a text there, so that one text would be found under the name of another.
    var column: String { utf8.contains(0) ? replacing("\0", with: "\u{FFFD}") : self }
}

extension Countersign.Identifier {
    var column: String { rawValue.column }
}

extension Date {
    var column: Double { timeIntervalSinceReferenceDate }
}

extension SecretDigest {
    var column: [UInt8] { bytes }
}

extension UserCodeDigest {
    var column: [UInt8] { bytes }
}

extension Row {
    func instant(_ index: Int) -> Date { Date(timeIntervalSinceReferenceDate: self[index]) }

    func optionalInstant(_ index: Int) -> Date? {
        (self[index] as Double?).map(Date.init(timeIntervalSinceReferenceDate:))
    }

    func identifier<Kind: Countersign.Identifier>(_ index: Int) -> Kind { Kind(rawValue: self[index]) }

    func optionalIdentifier<Kind: Countersign.Identifier>(_ index: Int) -> Kind? {
        (self[index] as String?).map(Kind.init(rawValue:))
    }

    func digest(_ index: Int) -> SecretDigest { SecretDigest(restoring: bytes(index)) }

    func scope(_ index: Int) throws -> Scope {
        guard let scope = Scope(parsing: self[index]) else { throw UnreadableRow(column: "scope") }
        return scope
    }

    /// A case of an enumeration that is kept by name.
    func name<Name: RawRepresentable<String>>(_ index: Int, as type: Name.Type = Name.self) throws -> Name {
        guard let name = Name(rawValue: self[index]) else { throw UnreadableRow(column: "\(type)") }
        return name
    }

    /// Reads the JSON in this column, for what has parts and is seldom read.
    func document<Document: Decodable>(_ index: Int, as type: Document.Type = Document.self) throws -> Document {
        try JSONDecoder().decode(type, from: Data((self[index] as String).utf8))
    }
}

/// The JSON text of a document: the same value always gives the same text.
func documentText(_ document: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(document), as: UTF8.self)
}

/// A row that this version cannot understand.
struct UnreadableRow: Error, CustomStringConvertible {
    let column: String

    var description: String { "The database holds a \(column) that contradicts itself; it may be damaged." }
}
