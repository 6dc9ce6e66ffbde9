internal import Countersign
internal import CountersignServer
internal import Foundation
internal import GRDB

// How values stand in columns. Instants are the number that `Date` holds itself, so that none is rounded.

extension Date {
    var column: Double { timeIntervalSinceReferenceDate }
}

extension SecretDigest {
    var column: Data { Data(bytes) }
}

extension UserCodeDigest {
    var column: Data { Data(bytes) }
}

extension Row {
    func instant(_ index: Int) -> Date { Date(timeIntervalSinceReferenceDate: self[index]) }

    func optionalInstant(_ index: Int) -> Date? {
        (self[index] as Double?).map(Date.init(timeIntervalSinceReferenceDate:))
    }

    func bytes(_ index: Int) -> [UInt8] { Array(self[index] as Data) }

    func identifier<Kind: Countersign.Identifier>(_ index: Int) -> Kind { Kind(rawValue: self[index]) }

    func optionalIdentifier<Kind: Countersign.Identifier>(_ index: Int) -> Kind? {
        (self[index] as String?).map(Kind.init(rawValue:))
    }

    func digest(_ index: Int) -> SecretDigest { SecretDigest(restoring: bytes(index)) }

    /// Reads the JSON document of this column.
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
    let table: String

    var description: String { "A row of the table \(table) contradicts itself; the database may be damaged." }
}
