internal import Countersign
internal import CountersignStorage
internal import FoundationEssentialsCompat

/// A value for a parameter of a statement; `nil` is NULL.
package enum SQLValue: Sendable, Equatable {
    case integer(Int)
    case real(Double)
    case text(String)
    case bytes([UInt8])
}

// The forms of values in columns.

extension Int {
    var column: SQLValue { .integer(self) }
}

extension Double {
    var column: SQLValue { .real(self) }
}

extension Bool {
    var column: SQLValue { .integer(self ? 1 : 0) }
}

extension [UInt8] {
    var column: SQLValue { .bytes(self) }
}

extension String {
    /// The text without U+0000, which no engine can store: SQLite would cut the text there, and could confuse two
    /// texts; PostgreSQL would refuse it.
    package var withoutNull: String { utf8.contains(0) ? replacing("\0", with: "\u{FFFD}") : self }

    var column: SQLValue { .text(withoutNull) }
}

extension RawRepresentable<String> {
    var column: SQLValue { rawValue.column }
}

extension Date {
    /// The number that `Date` stores, so that no instant is rounded.
    var column: SQLValue { .real(timeIntervalSinceReferenceDate) }
}

extension SecretDigest {
    var column: SQLValue { .bytes(bytes) }
}

extension Scope {
    var column: SQLValue { description.column }
}

extension SQLValue {
    /// A value as JSON, for values that have parts and are rarely read; equal values give equal texts.
    static func document(_ value: some Encodable) throws -> SQLValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self).column
    }
}
