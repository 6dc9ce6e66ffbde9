/// The reason that bytes are not read as CBOR.
package enum CBORError: Error, Sendable, Hashable {
    /// They end within a value.
    case truncated
    /// There are more of them than are read.
    case tooLarge
    /// Values are nested deeper than four levels.
    case tooDeep
    /// A number or length is not written in the fewest bytes.
    case notShortest
    /// A length is left open.
    case indefiniteLength
    /// A tag, a floating-point number, `undefined`, or another simple value.
    case unsupported
    /// The name of a member is neither a number nor a text.
    case unsupportedName
    /// A text is not UTF-8.
    case notUTF8
    /// A map has a duplicate name.
    case repeatedName
    /// Excess bytes follow the value.
    case trailingBytes
}

/// Reads CBOR in the canonical form of CTAP2, except that members of maps may be in any order; sizes and depth are
/// bounded.
///
/// Older browsers and authenticators write members in a different order. Each name is unique, so the order changes no
/// meaning, and signatures cover the bytes as they came. Standard: CTAP 2.2 §8 (message encoding); Web Authentication
/// Level 3 §2 (decoders).
package struct CBORReader {
    /// The most bytes that are read; no key or attestation is as large.
    package static let largest = 65_536
    /// The greatest depth of nesting. Standard: CTAP 2.2 §8.
    package static let deepest = 4

    private let bytes: ArraySlice<UInt8>
    private var place: Int

    /// Reads bytes that hold exactly one value.
    ///
    /// - Throws: ``CBORError``, the first that is found.
    package static func value(of bytes: [UInt8]) throws(CBORError) -> CBORValue {
        let (value, count) = try prefix(of: bytes[...])
        guard count == bytes.count else { throw .trailingBytes }
        return value
    }

    /// Reads the value that bytes begin with, and returns its length in bytes.
    ///
    /// - Throws: ``CBORError``, the first that is found.
    package static func prefix(of bytes: ArraySlice<UInt8>) throws(CBORError) -> (value: CBORValue, count: Int) {
        guard bytes.count <= largest else { throw .tooLarge }
        var reader = CBORReader(bytes)
        let value = try reader.value(depth: 0)
        return (value, reader.place - bytes.startIndex)
    }

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    private mutating func value(depth: Int) throws(CBORError) -> CBORValue {
        let first = try take(1)[0]
        let (type, information) = (first >> 5, first & 0x1F)
        // The simple values have no number; those in an extra byte are refused with the others.
        if type == 7 { return try simple(information) }
        let number = try number(information)
        switch type {
        case 0: return .unsigned(number)
        case 1: return .negative(number)
        case 2: return .bytes(try take(length(number)))
        case 3:
            let taken = try take(length(number))
            let text = String(decoding: taken, as: UTF8.self)
            guard text.utf8.elementsEqual(taken) else { throw .notUTF8 }
            return .text(text)
        case 4: return try array(of: length(number), depth: depth + 1)
        case 5: return try map(of: length(number), depth: depth + 1)
        default: throw .unsupported
        }
    }

    private func simple(_ information: UInt8) throws(CBORError) -> CBORValue {
        switch information {
        case 20: .truth(false)
        case 21: .truth(true)
        case 22: .null
        case 31: throw .indefiniteLength
        default: throw .unsupported
        }
    }

    private mutating func array(of count: Int, depth: Int) throws(CBORError) -> CBORValue {
        guard depth <= Self.deepest else { throw .tooDeep }
        var values: [CBORValue] = []
        for _ in 0..<count { values.append(try value(depth: depth)) }
        return .array(values)
    }

    private mutating func map(of count: Int, depth: Int) throws(CBORError) -> CBORValue {
        guard depth <= Self.deepest else { throw .tooDeep }
        var members: [CBORValue.Member] = []
        // Names have one spelling each, so equal names have equal bytes.
        var names: Set<ArraySlice<UInt8>> = []
        for _ in 0..<count {
            let start = place
            let name = try value(depth: depth)
            switch name {
            case .unsigned, .negative, .text: break
            case .bytes, .array, .map, .truth, .null: throw .unsupportedName
            }
            guard names.insert(bytes[start..<place]).inserted else { throw .repeatedName }
            members.append(CBORValue.Member(name, try value(depth: depth)))
        }
        return .map(members)
    }

    private mutating func number(_ information: UInt8) throws(CBORError) -> UInt64 {
        let count: Int
        switch information {
        case 0..<24: return UInt64(information)
        case 24...27: count = 1 << (Int(information) - 24)
        case 31: throw .indefiniteLength
        default: throw .unsupported
        }
        let number = try take(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // The next shorter form holds every number below this one.
        let least: UInt64 = count == 1 ? 24 : 1 << (UInt64(count) * 4)
        guard number >= least else { throw .notShortest }
        return number
    }

    /// A length or count; every byte or value of it takes at least a byte of the rest.
    private func length(_ number: UInt64) throws(CBORError) -> Int {
        guard number <= UInt64(bytes.endIndex - place) else { throw .truncated }
        return Int(number)
    }

    private mutating func take(_ count: Int) throws(CBORError) -> [UInt8] {
        guard bytes.endIndex - place >= count else { throw .truncated }
        defer { place += count }
        return Array(bytes[place..<place + count])
    }
}
