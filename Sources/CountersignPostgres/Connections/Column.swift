#if PostgreSQL
internal import Countersign
internal import CountersignServer
internal import Foundation

// How values stand in columns. Instants are the number that `Date` holds itself, so that none is rounded.

/// What can be put into a column, in the binary form that PostgreSQL sends itself.
protocol ColumnValue: Sendable {
    /// Adds the bytes of the value to those of a message.
    func append(to bytes: inout [UInt8])
}

/// A value for a place in a statement.
typealias Column = (any ColumnValue)?

extension String: ColumnValue {
    func append(to bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }

    /// U+0000 becomes U+FFFD: PostgreSQL keeps no text that has one.
    var column: String { utf8.contains(0) ? replacing("\0", with: "\u{FFFD}") : self }
}

extension Int: ColumnValue {
    func append(to bytes: inout [UInt8]) {
        Swift.withUnsafeBytes(of: Int64(self).bigEndian) { bytes.append(contentsOf: $0) }
    }
}

extension Double: ColumnValue {
    func append(to bytes: inout [UInt8]) {
        Swift.withUnsafeBytes(of: bitPattern.bigEndian) { bytes.append(contentsOf: $0) }
    }
}

extension [UInt8]: ColumnValue {
    func append(to bytes: inout [UInt8]) { bytes.append(contentsOf: self) }
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

/// The JSON text of a document: the same value always gives the same text.
func documentText(_ document: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(document), as: UTF8.self).column
}

/// The places of a statement's values: `$3, $4, $5`.
func places(_ count: Int, from first: Int = 1) -> String {
    (first..<first + count).map { "$\($0)" }.joined(separator: ", ")
}
#endif
