/// Reads the fields of a message one after the other; `nil` when there is not enough, or no text.
struct FieldReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8? {
        rest.popFirst()
    }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func number() -> UInt32? {
        bytes(4).map { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// A text with its length in one byte.
    mutating func text() -> String? {
        byte().flatMap { text(of: Int($0)) }
    }

    /// A text with its length in two bytes.
    mutating func longText() -> String? {
        guard let high = byte(), let low = byte() else { return nil }
        return text(of: Int(high) << 8 | Int(low))
    }

    mutating func digest() -> LinkDigest? {
        bytes(LinkDigest.length).flatMap { LinkDigest(received: $0) }
    }

    mutating func nonce() -> LinkNonce? {
        bytes(LinkNonce.length).flatMap { LinkNonce(received: $0) }
    }

    mutating func run() -> LinkRun? {
        byte().flatMap { LinkRun($0) }
    }

    /// All that is left.
    mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }

    private mutating func text(of count: Int) -> String? {
        guard let bytes = bytes(count) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        // What is no UTF-8 was repaired, and has other bytes now.
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}

/// Writes the fields of a message one after the other.
struct FieldWriter {
    private(set) var written: [UInt8] = []

    mutating func byte(_ byte: UInt8) { written.append(byte) }

    mutating func bytes(_ bytes: [UInt8]) { written += bytes }

    mutating func number(_ number: UInt32) {
        withUnsafeBytes(of: number.bigEndian) { written += $0 }
    }

    /// A text of 255 bytes at most.
    mutating func text(_ text: String) {
        precondition(text.utf8.count <= 255, "the type of each text bounds it")
        written.append(UInt8(text.utf8.count))
        written += text.utf8
    }

    /// A text of 65,535 bytes at most.
    mutating func longText(_ text: String) {
        precondition(text.utf8.count <= Int(UInt16.max), "the type of each text bounds it")
        written += [UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 0xFF)]
        written += text.utf8
    }
}
