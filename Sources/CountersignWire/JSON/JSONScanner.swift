/// Reads JSON from the front, one piece at a time.
///
/// Standard: RFC 8259.
struct JSONScanner {
    /// The greatest depth of nesting in values that are only skipped.
    private static let deepest = 64

    private let bytes: [UInt8]
    private var place = 0
    /// Whether a name that an object repeats is an error in values that are only skipped.
    private var refusesRepeats = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var isAtEnd: Bool { place == bytes.count }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte <= 0x20, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { place += 1 }
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
        /// A number, list, object, truth value or null, unparsed.
        case other(json: String)
    }

    /// A member of an object.
    struct Member: Sendable, Equatable {
        let name: String
        let value: Value
    }

    /// A position in the bytes: in half the space of a range, since there is a list of them for each object.
    struct ByteRange: Sendable, Equatable {
        private let lower: UInt32
        private let upper: UInt32

        init(_ range: Range<Int>) { (lower, upper) = (UInt32(range.lowerBound), UInt32(range.upperBound)) }

        var range: Range<Int> { Int(lower)..<Int(upper) }
    }

    /// The position of a text, without its quotation marks; the text is decoded on demand.
    struct TextRange: Sendable, Equatable {
        let place: ByteRange
        /// Whether it has no escapes.
        let isPlain: Bool
    }

    /// The position of a member's value.
    enum ValueRange: Sendable, Equatable {
        case text(TextRange)
        /// A number, list, object, truth value or null.
        case other(ByteRange)
    }

    /// The position of a member of an object.
    struct MemberRange: Sendable, Equatable {
        /// Length and first bytes of the name: most names differ in them. ``escaped`` when it is written with escapes.
        let nameKey: UInt64
        let name: TextRange
        let value: ValueRange
    }

    /// The members of an object in their order, repeated ones too.
    struct MemberList: Sendable {
        private(set) var all: [MemberRange] = []
        /// A bit for each key that occurs; it excludes most absent names without a search.
        private var occurring: UInt64 = 0
        /// The bits that several members have.
        private var shared: UInt64 = 0
        /// The first member with each bit.
        private var firsts = SIMD64<UInt8>()
        /// Room for the members of most objects.
        private static let usualCount = 24

        init() { all.reserveCapacity(Self.usualCount) }

        mutating func append(_ member: MemberRange) {
            let place = Self.place(of: member.nameKey)
            if occurring & 1 << place != 0 || all.count > UInt8.max {
                shared |= 1 << place
            } else {
                firsts[Int(place)] = UInt8(all.count)
            }
            occurring |= 1 << place
            all.append(member)
        }

        /// The only member that can have this key; `nil` when that takes a search.
        func only(_ key: UInt64) -> Int? {
            let place = Self.place(of: key)
            guard (shared & 1 << place) | (occurring & Self.bit(of: JSONScanner.escaped)) == 0 else { return nil }
            return Int(firsts[Int(place)])
        }

        /// Whether a member with this key, or one with an escaped name, may exist.
        func mayHave(_ key: UInt64) -> Bool { occurring & (Self.bit(of: key) | Self.bit(of: JSONScanner.escaped)) != 0 }

        private static func bit(of key: UInt64) -> UInt64 { 1 << place(of: key) }

        private static func place(of key: UInt64) -> UInt64 { (key &* 0x9E37_79B9_7F4A_7C15) >> 58 }
    }

    /// Reads an object with nothing around it: its members in their order, repeated ones too.
    mutating func object() throws(TextMembers.MemberError) -> [Member] {
        var members: [Member] = []
        for place in try places().all {
            let value: Value =
                switch place.value {
                case .text(let text): .text(self.text(at: text))
                case .other(let place): .other(json: json(at: place))
                }
            members.append(Member(name: text(at: place.name), value: value))
        }
        return members
    }

    /// Reads an object with nothing around it, whose member names are unique.
    static func distinctMembers(of bytes: [UInt8]) throws(TextMembers.MemberError) -> [Member] {
        var scanner = JSONScanner(bytes)
        let members = try scanner.object()
        var seen: Set<String> = []
        for member in members where !seen.insert(member.name).inserted { throw .repeated(member.name) }
        return members
    }

    /// The members of an object in their order; names and texts are not read, but checked to be well formed.
    mutating func places() throws(TextMembers.MemberError) -> MemberList {
        var members = MemberList()
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

    /// Reads a value of any kind from the front, in which no object, of any depth, has two members of one name.
    static func requireDistinctNames(in bytes: [UInt8]) throws(TextMembers.MemberError) {
        var scanner = JSONScanner(bytes)
        scanner.refusesRepeats = true
        try scanner.skipValue(depth: 0)
    }

    /// Reads a list of strings with nothing around it.
    mutating func texts() throws(TextMembers.MemberError) -> [String] {
        var texts: [String] = []
        skipSpace()
        guard take(UInt8(ascii: "[")) else { throw .notJSON }
        skipSpace()
        if !take(UInt8(ascii: "]")) {
            repeat {
                skipSpace()
                texts.append(text(at: try textRange()))
                skipSpace()
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "]")) else { throw .notJSON }
        }
        skipSpace()
        guard isAtEnd else { throw .notJSON }
        return texts
    }

    private mutating func member() throws(TextMembers.MemberError) -> MemberRange {
        skipSpace()
        let name = try textRange()
        let key = name.isPlain ? key(of: name.place) : Self.escaped
        skipSpace()
        guard take(UInt8(ascii: ":")) else { throw .notJSON }
        skipSpace()
        if next == UInt8(ascii: "\"") { return MemberRange(nameKey: key, name: name, value: .text(try textRange())) }
        let start = place
        try skipValue(depth: 0)
        return MemberRange(nameKey: key, name: name, value: .other(ByteRange(start..<place)))
    }

    /// Whether the rest is exactly one value of any kind.
    private mutating func valueIsComplete() throws(TextMembers.MemberError) -> Bool {
        try skipValue(depth: 0)
        skipSpace()
        return isAtEnd
    }

    private mutating func skipValue(depth: Int) throws(TextMembers.MemberError) {
        skipSpace()
        switch next {
        case UInt8(ascii: "\""): _ = try textRange()
        case UInt8(ascii: "{"): try skipItems(until: UInt8(ascii: "}"), named: true, depth: depth)
        case UInt8(ascii: "["): try skipItems(until: UInt8(ascii: "]"), named: false, depth: depth)
        case UInt8(ascii: "t"): try skip("true")
        case UInt8(ascii: "f"): try skip("false")
        case UInt8(ascii: "n"): try skip("null")
        default: try skipNumber()
        }
    }

    private mutating func skipItems(until end: UInt8, named: Bool, depth: Int) throws(TextMembers.MemberError) {
        guard depth < Self.deepest else { throw .notJSON }
        place += 1
        skipSpace()
        if take(end) { return }
        var names: Set<String> = []
        repeat {
            if named {
                skipSpace()
                let name = try textRange()
                if refusesRepeats {
                    let name = text(at: name)
                    guard names.insert(name).inserted else { throw .repeated(name) }
                }
                skipSpace()
                guard take(UInt8(ascii: ":")) else { throw .notJSON }
            }
            try skipValue(depth: depth + 1)
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(end) else { throw .notJSON }
    }

    private mutating func skip(_ word: StaticString) throws(TextMembers.MemberError) {
        for place in 0..<word.utf8CodeUnitCount {
            guard take(word.utf8Start[place]) else { throw .notJSON }
        }
    }

    private mutating func skipNumber() throws(TextMembers.MemberError) {
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

    /// Moves past a string, which is checked but not read.
    private mutating func textRange() throws(TextMembers.MemberError) -> TextRange {
        guard take(UInt8(ascii: "\"")) else { throw .notJSON }
        let start = place
        var seen: UInt64 = 0
        var isPlain = true
        while true {
            (place, seen) = Self.plainEnd(in: bytes, from: place, seen: seen)
            guard let byte = next, byte >= 0x20 else { throw .notJSON }
            place += 1
            if byte == UInt8(ascii: "\"") { break }
            isPlain = false
            _ = try escape()
        }
        let range = start..<(place - 1)
        // ASCII needs no further check, which takes longer than all the rest.
        guard seen & Self.highBits == 0 || String(validating: bytes[range], as: UTF8.self) != nil else {
            throw .notJSON
        }
        return TextRange(place: ByteRange(range), isPlain: isPlain)
    }

    /// The highest bit of each of eight bytes.
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The next place from `place` on that ends a text, begins an escape or is not allowed in a text, and all bits of
    /// the bytes before it together with those of `seen`. Eight bytes are looked at together while there are so many.
    private static func plainEnd(in bytes: [UInt8], from place: Int, seen: UInt64) -> (Int, UInt64) {
        bytes.withUnsafeBytes { bytes in
            var (place, seen) = (place, seen)
            while place &+ 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                // The lowest bit that is set is that of the first such byte.
                let ends =
                    (zeros(word ^ 0x2222_2222_2222_2222) | zeros(word ^ 0x5C5C_5C5C_5C5C_5C5C)
                        | (word &- 0x2020_2020_2020_2020) & ~word) & highBits
                guard ends == 0 else {
                    let before = ends.trailingZeroBitCount & ~7
                    return (place &+ before >> 3, seen | word & (1 << UInt64(before) &- 1))
                }
                seen |= word
                place &+= 8
            }
            while place < bytes.count, bytes[place] != UInt8(ascii: "\""), bytes[place] != UInt8(ascii: "\\"),
                bytes[place] >= 0x20
            {
                seen |= UInt64(bytes[place])
                place += 1
            }
            return (place, seen)
        }
    }

    /// The highest bit of each byte that is zero, and perhaps of bytes above it.
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- 0x0101_0101_0101_0101) & ~word }

    /// The key of names that are written with escapes; no other name has it.
    fileprivate static let escaped = UInt64.max

    /// Finds the members that have a name: the first one, and how many there are.
    func members(named name: String, among members: MemberList) -> (first: Int?, count: Int) {
        var name = name
        var (first, count): (Int?, Int) = (nil, 0)
        name.withUTF8 { name in
            let key = Self.key(of: name)
            guard members.mayHave(key) else { return }
            if let only = members.only(key) {
                if members.all[only].nameKey == key, says(name, at: members.all[only].name) {
                    (first, count) = (only, 1)
                }
                return
            }
            members.all.withUnsafeBufferPointer { members in
                for index in members.indices {
                    let found = members[index].nameKey
                    guard found == key || found == Self.escaped, says(name, at: members[index].name) else { continue }
                    first = first ?? index
                    count += 1
                }
            }
        }
        return (first, count)
    }

    /// Whether the decoded text at a place is `text`.
    private func says(_ text: UnsafeBufferPointer<UInt8>, at place: TextRange) -> Bool {
        guard place.isPlain else { return self.text(at: place).utf8.elementsEqual(text) }
        return bytes.withUnsafeBufferPointer { Self.stands(text, in: $0, at: place.place.range) }
    }

    private func key(of place: ByteRange) -> UInt64 {
        bytes.withUnsafeBufferPointer { Self.key(of: UnsafeBufferPointer(rebasing: $0[place.range])) }
    }

    private static func key(of name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var key = UInt64(truncatingIfNeeded: name.count)
        for place in 0..<min(name.count, 7) { key = key << 8 | UInt64(name[place]) }
        return key
    }

    private static func stands(
        _ text: UnsafeBufferPointer<UInt8>,
        in bytes: UnsafeBufferPointer<UInt8>,
        at range: Range<Int>
    ) -> Bool {
        guard text.count == range.count else { return false }
        for place in 0..<text.count where text[place] != bytes[range.lowerBound + place] { return false }
        return true
    }

    /// Whether exactly the bytes of `text` are at a place.
    func isWritten(_ text: String, at place: ByteRange) -> Bool {
        var text = text
        return text.withUTF8 { text in bytes.withUnsafeBufferPointer { Self.stands(text, in: $0, at: place.range) } }
    }

    /// The whole number at a place, if it has 1 to 18 digits and nothing else.
    func smallNumber(at place: ByteRange) -> Int? {
        let range = place.range
        guard (1...18).contains(range.count) else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            var number = 0
            for place in range {
                let digit = bytes[place] &- 0x30
                guard digit < 10 else { return nil }
                number = number &* 10 &+ Int(digit)
            }
            return number
        }
    }

    /// The unparsed text at a place.
    func json(at place: ByteRange) -> String { String(decoding: bytes[place.range], as: UTF8.self) }

    /// Returns the decoded text at a place; the place comes from ``places()`` on the same bytes.
    func text(at place: TextRange) -> String {
        let range = place.place.range
        guard !place.isPlain else {
            return bytes.withUnsafeBufferPointer {
                String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self)
            }
        }
        var scanner = self
        scanner.place = range.lowerBound
        var read: [UInt8] = []
        while scanner.place < range.upperBound {
            let byte = bytes[scanner.place]
            scanner.place += 1
            guard byte == UInt8(ascii: "\\") else {
                read.append(byte)
                continue
            }
            // It was checked during the search.
            read += (try? scanner.escape()) ?? []
        }
        return String(decoding: read, as: UTF8.self)
    }

    private mutating func escape() throws(TextMembers.MemberError) -> [UInt8] {
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
    private mutating func scalar() throws(TextMembers.MemberError) -> Character {
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

    private mutating func unit() throws(TextMembers.MemberError) -> UInt32 {
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
