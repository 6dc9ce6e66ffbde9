/// Reads the fields of a message one after the other; `nil` when there is not enough, or no text.
struct FieldReader {
    /// What was not read.
    private var rest: ArraySlice<UInt8>

    /// A reader at the beginning of a message.
    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    /// Whether all was read.
    var isAtEnd: Bool { rest.isEmpty }

    /// One byte; `nil` at the end, as with all that follow.
    mutating func byte() -> UInt8? {
        rest.popFirst()
    }

    /// So many bytes.
    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Four bytes as a number.
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

    /// A digest.
    mutating func digest() -> LinkDigest? {
        bytes(LinkDigest.length).flatMap { LinkDigest(received: $0) }
    }

    /// A nonce.
    mutating func nonce() -> LinkNonce? {
        bytes(LinkNonce.length).flatMap { LinkNonce(received: $0) }
    }

    /// A run; `nil` for a number that is none.
    mutating func run() -> LinkRun? {
        byte().flatMap { LinkRun($0) }
    }

    /// All that is left.
    mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }

    /// Text of so many bytes; `nil` for bytes that are no UTF-8.
    private mutating func text(of count: Int) -> String? {
        guard let bytes = bytes(count) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        // What is no UTF-8 was repaired, and has other bytes now.
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}

/// Writes the fields of a message one after the other.
struct FieldWriter {
    /// What was written so far.
    private(set) var written: [UInt8] = []

    /// Writes one byte.
    mutating func byte(_ byte: UInt8) { written.append(byte) }

    /// Writes bytes as they are.
    mutating func bytes(_ bytes: [UInt8]) { written += bytes }

    /// Writes a number in four bytes.
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
