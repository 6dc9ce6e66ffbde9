/// Reads JSON from the front, one piece at a time.
///
/// Standard: RFC 8259.
struct JSONScanner {
    /// How deep values that are only skipped may be nested.
    private static let deepest = 64

    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var isAtEnd: Bool { place == bytes.count }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { place += 1 }
    }

    /// Moves past `byte` if it is next, and returns whether it was.
    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        place += 1
        return true
    }

    /// The value of a member.
    enum Value: Sendable, Equatable {
        case text(String)
        /// A number, list, object, truth value or null, as it is written.
        case other(json: String)
    }

    /// A member of an object.
    struct Member: Sendable, Equatable {
        let name: String
        let value: Value
    }

    /// Reads an object with nothing around it: its members in their order, repeated ones too.
    mutating func object() throws(TextMembers.Problem) -> [Member] {
        var members: [Member] = []
        skipSpace()
        guard take(UInt8(ascii: "{")) else { throw try valueIsComplete() ? .notAnObject : .notJSON }
        skipSpace()
        if !take(UInt8(ascii: "}")) {
            repeat {
                members.append(try member())
                skipSpace()
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "}")) else { throw .notJSON }
        }
        skipSpace()
        guard isAtEnd else { throw .notJSON }
        return members
    }

    /// Reads a list of strings with nothing around it.
    mutating func texts() throws(TextMembers.Problem) -> [String] {
        var texts: [String] = []
        skipSpace()
        guard take(UInt8(ascii: "[")) else { throw .notJSON }
        skipSpace()
        if !take(UInt8(ascii: "]")) {
            repeat {
                skipSpace()
                texts.append(try text())
                skipSpace()
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "]")) else { throw .notJSON }
        }
        skipSpace()
        guard isAtEnd else { throw .notJSON }
        return texts
    }

    private mutating func member() throws(TextMembers.Problem) -> Member {
        skipSpace()
        let name = try text()
        skipSpace()
        guard take(UInt8(ascii: ":")) else { throw .notJSON }
        skipSpace()
        if next == UInt8(ascii: "\"") { return Member(name: name, value: .text(try text())) }
        let start = place
        try skipValue(depth: 0)
        return Member(name: name, value: .other(json: String(decoding: bytes[start..<place], as: UTF8.self)))
    }

    /// Whether the rest is exactly one value of any kind.
    private mutating func valueIsComplete() throws(TextMembers.Problem) -> Bool {
        try skipValue(depth: 0)
        skipSpace()
        return isAtEnd
    }

    private mutating func skipValue(depth: Int) throws(TextMembers.Problem) {
        skipSpace()
        switch next {
        case UInt8(ascii: "\""): _ = try text()
        case UInt8(ascii: "{"): try skipItems(until: UInt8(ascii: "}"), named: true, depth: depth)
        case UInt8(ascii: "["): try skipItems(until: UInt8(ascii: "]"), named: false, depth: depth)
        case UInt8(ascii: "t"): try skip("true")
        case UInt8(ascii: "f"): try skip("false")
        case UInt8(ascii: "n"): try skip("null")
        default: try skipNumber()
        }
    }

    private mutating func skipItems(until end: UInt8, named: Bool, depth: Int) throws(TextMembers.Problem) {
        guard depth < Self.deepest else { throw .notJSON }
        place += 1
        skipSpace()
        if take(end) { return }
        repeat {
            if named {
                skipSpace()
                _ = try text()
                skipSpace()
                guard take(UInt8(ascii: ":")) else { throw .notJSON }
            }
            try skipValue(depth: depth + 1)
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(end) else { throw .notJSON }
    }

    private mutating func skip(_ word: StaticString) throws(TextMembers.Problem) {
        for place in 0..<word.utf8CodeUnitCount {
            guard take(word.utf8Start[place]) else { throw .notJSON }
        }
    }

    private mutating func skipNumber() throws(TextMembers.Problem) {
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { guard skipDigits() else { throw .notJSON } }
        if take(UInt8(ascii: ".")) { guard skipDigits() else { throw .notJSON } }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            guard skipDigits() else { throw .notJSON }
        }
    }

    private mutating func skipDigits() -> Bool {
        let begin = place
        while let byte = next, (0x30...0x39).contains(byte) { place += 1 }
        return place > begin
    }

    // MARK: Texts

    private mutating func text() throws(TextMembers.Problem) -> String {
        guard take(UInt8(ascii: "\"")) else { throw .notJSON }
        if let plain = plainText() { return plain }
        var read: [UInt8] = []
        while let byte = next {
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: read, as: UTF8.self) else { throw .notJSON }
                return text
            case UInt8(ascii: "\\"): read += try escape()
            case 0..<0x20: throw .notJSON
            default: read.append(byte)
            }
        }
        throw .notJSON
    }

    /// Reads the rest of a string that has no escapes; `nil`, and nothing is read, for others and for what is no string.
    private mutating func plainText() -> String? {
        let start = place
        var end = start
        var seen: UInt8 = 0
        let text: String? = bytes.withUnsafeBufferPointer { bytes in
            while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\"),
                bytes[end] >= 0x20
            {
                seen |= bytes[end]
                end += 1
            }
            guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return nil }
            let plain = UnsafeBufferPointer(rebasing: bytes[start..<end])
            // ASCII needs no further check, which takes longer than all the rest.
            return seen < 0x80 ? String(decoding: plain, as: UTF8.self) : String(validating: plain, as: UTF8.self)
        }
        if text != nil { place = end + 1 }
        return text
    }

    private mutating func escape() throws(TextMembers.Problem) -> [UInt8] {
        guard let byte = next else { throw .notJSON }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(try scalar()).utf8)
        default: throw .notJSON
        }
    }

    /// Reads a character written as one or two UTF-16 units; half a surrogate pair is refused.
    private mutating func scalar() throws(TextMembers.Problem) -> Character {
        let first = try unit()
        guard (0xD800..<0xDC00).contains(first) else {
            guard let scalar = Unicode.Scalar(first) else { throw .notJSON }
            return Character(scalar)
        }
        guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw .notJSON }
        let second = try unit()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw .notJSON }
        return Character(scalar)
    }

    private mutating func unit() throws(TextMembers.Problem) -> UInt32 {
        guard bytes.count - place >= 4 else { throw .notJSON }
        var unit: UInt32 = 0
        for byte in bytes[place..<place + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw .notJSON }
            unit = unit << 4 | UInt32(digit)
        }
        place += 4
        return unit
    }
}
