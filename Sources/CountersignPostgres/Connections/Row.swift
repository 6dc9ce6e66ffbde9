#if PostgreSQL
internal import CLibPQ
internal import Countersign
internal import CountersignServer
internal import Foundation

/// What a statement answered.
final class Answer {
    private let result: OpaquePointer

    init(owning result: OpaquePointer) {
        self.result = result
    }

    deinit { PQclear(result) }

    var rowCount: Int { Int(PQntuples(result)) }

    /// How many rows the statement added, changed or removed.
    var changeCount: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    /// What the server says that it did: `COMMIT`, say, or `ROLLBACK` to one who asked for `COMMIT` in vain.
    var command: String { String(cString: PQcmdStatus(result)) }

    subscript(row: Int) -> Row { Row(answer: self, index: Int32(row)) }

    fileprivate func bytes(row: Int32, column: Int) -> UnsafeRawBufferPointer? {
        guard PQgetisnull(result, row, Int32(column)) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, Int32(column)),
            count: Int(PQgetlength(result, row, Int32(column)))
        )
    }
}

/// One row of an answer. Its columns are read by their place, in the binary form.
struct Row {
    fileprivate let answer: Answer
    fileprivate let index: Int32

    func isNull(_ column: Int) -> Bool { optionalBytes(column) == nil }

    func optionalBytes(_ column: Int) -> [UInt8]? {
        withExtendedLifetime(answer) { answer.bytes(row: index, column: column).map(Array.init) }
    }

    func bytes(_ column: Int) throws -> [UInt8] {
        guard let bytes = optionalBytes(column) else { throw UnreadableRow(column: "null where bytes belong") }
        return bytes
    }

    func optionalText(_ column: Int) -> String? {
        withExtendedLifetime(answer) {
            answer.bytes(row: index, column: column).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    func text(_ column: Int) throws -> String {
        guard let text = optionalText(column) else { throw UnreadableRow(column: "null where a text belongs") }
        return text
    }

    func whole(_ column: Int) throws -> Int {
        guard let bits = word(column) else { throw UnreadableRow(column: "value that is no whole number") }
        return Int(Int64(bitPattern: bits))
    }

    func real(_ column: Int) throws -> Double {
        guard let bits = word(column) else { throw UnreadableRow(column: "value that is no number") }
        return Double(bitPattern: bits)
    }

    private func word(_ column: Int) -> UInt64? {
        withExtendedLifetime(answer) {
            guard let bytes = answer.bytes(row: index, column: column), bytes.count == 8 else { return nil }
            return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        }
    }
}

extension Row {
    func instant(_ column: Int) throws -> Date { Date(timeIntervalSinceReferenceDate: try real(column)) }

    func optionalInstant(_ column: Int) throws -> Date? { isNull(column) ? nil : try instant(column) }

    func identifier<Kind: Countersign.Identifier>(_ column: Int) throws -> Kind { Kind(rawValue: try text(column)) }

    func optionalIdentifier<Kind: Countersign.Identifier>(_ column: Int) -> Kind? {
        optionalText(column).map(Kind.init(rawValue:))
    }

    func digest(_ column: Int) throws -> SecretDigest { SecretDigest(restoring: try bytes(column)) }

    func scope(_ column: Int) throws -> Scope {
        guard let scope = Scope(parsing: try text(column)) else { throw UnreadableRow(column: "scope") }
        return scope
    }

    /// A case of an enumeration that is kept by name.
    func name<Name: RawRepresentable<String>>(_ column: Int, as type: Name.Type = Name.self) throws -> Name {
        guard let name = Name(rawValue: try text(column)) else { throw UnreadableRow(column: "\(type)") }
        return name
    }

    /// Reads the JSON in this column, for what has parts and is seldom read.
    func document<Document: Decodable>(_ column: Int, as type: Document.Type = Document.self) throws -> Document {
        try JSONDecoder().decode(type, from: Data(try text(column).utf8))
    }
}

/// A row that this version cannot understand.
struct UnreadableRow: Error, CustomStringConvertible {
    let column: String

    var description: String { "The database holds a \(column) that contradicts itself; it may be damaged." }
}
#endif
