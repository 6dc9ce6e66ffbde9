/// A value of CBOR, as far as authenticators use it: no tags, no floating-point numbers, nothing of indefinite length.
///
/// Standard: RFC 8949 §3; CTAP 2.2 §8 (canonical form).
package indirect enum CBORValue: Sendable, Equatable {
    /// A number from 0.
    case unsigned(UInt64)
    /// The number -1 - n.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    /// Members in their order in the bytes, each name once.
    case map([Member])
    case truth(Bool)
    case null

    /// A member of a map.
    package struct Member: Sendable, Equatable {
        /// A number or a text.
        package let name: CBORValue
        package let value: CBORValue

        /// Creates a member.
        package init(_ name: CBORValue, _ value: CBORValue) {
            self.name = name
            self.value = value
        }
    }

    /// A number of either sign.
    package static func number(_ number: Int) -> CBORValue {
        number < 0 ? .negative(UInt64(-1 - number)) : .unsigned(UInt64(number))
    }

    /// The number, if it is one that `Int` holds.
    package var number: Int? {
        switch self {
        case .unsigned(let number): Int(exactly: number)
        case .negative(let number): Int(exactly: number).map { -1 - $0 }
        case .bytes, .text, .array, .map, .truth, .null: nil
        }
    }

    /// The bytes, if it is a byte string.
    package var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    /// The text, if it is one.
    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The members, if it is a map.
    package var members: [Member]? {
        if case .map(let members) = self { members } else { nil }
    }

    /// The member of a map with this name.
    package subscript(name: CBORValue) -> CBORValue? { members?.first { $0.name == name }?.value }
}

extension CBORValue {
    /// The bytes of the value in canonical form, but for the order of members, which stays.
    package var encoded: [UInt8] {
        switch self {
        case .unsigned(let number): Self.head(0, number)
        case .negative(let number): Self.head(1, number)
        case .bytes(let bytes): Self.head(2, UInt64(bytes.count)) + bytes
        case .text(let text): Self.head(3, UInt64(text.utf8.count)) + Array(text.utf8)
        case .array(let values): Self.head(4, UInt64(values.count)) + values.flatMap(\.encoded)
        case .map(let members):
            Self.head(5, UInt64(members.count)) + members.flatMap { $0.name.encoded + $0.value.encoded }
        case .truth(let fact): [fact ? 0xF5 : 0xF4]
        case .null: [0xF6]
        }
    }

    /// The type and the number that goes with it, in the shortest form.
    private static func head(_ type: UInt8, _ number: UInt64) -> [UInt8] {
        let bigEndian = { (count: Int) in (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        return switch number {
        case 0..<24: [type << 5 | UInt8(number)]
        case 24...0xFF: [type << 5 | 24] + bigEndian(1)
        case 0x100...0xFFFF: [type << 5 | 25] + bigEndian(2)
        case 0x1_0000...0xFFFF_FFFF: [type << 5 | 26] + bigEndian(4)
        default: [type << 5 | 27] + bigEndian(8)
        }
    }
}
