/// Reads the fields of a message in order; returns `nil` when bytes are missing, or a text is invalid.
struct FieldReader {
    /// The bytes that were not read yet.
    private var rest: ArraySlice<UInt8>

    /// A reader at the beginning of a message.
    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// Whether all was read.
    var isAtEnd: Bool { rest.isEmpty }

    /// One byte; `nil` at the end, like all methods.
    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Four bytes as a number.
    mutating func number() -> UInt32? { bytes(4).map { $0.reduce(0) { $0 << 8 | UInt32($1) } } }

    /// A text with its length in one byte.
    mutating func text() -> String? { byte().flatMap { text(of: Int($0)) } }

    /// A text with its length in two bytes.
    mutating func longText() -> String? {
        guard let high = byte(), let low = byte() else { return nil }
        return text(of: Int(high) << 8 | Int(low))
    }

    mutating func digest() -> LinkDigest? { bytes(LinkDigest.length).flatMap { LinkDigest(received: $0) } }

    mutating func nonce() -> LinkNonce? { bytes(LinkNonce.length).flatMap { LinkNonce(received: $0) } }

    /// A code attempt; `nil` for an invalid number.
    mutating func run() -> CodeAttempt? { byte().flatMap { CodeAttempt($0) } }

    /// All remaining bytes.
    mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }

    /// Text of `count` bytes; `nil` if they are not UTF-8.
    private mutating func text(of count: Int) -> String? {
        guard let bytes = bytes(count) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding repairs invalid UTF-8, so the bytes differ then.
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}

/// Writes the fields of a message in order.
struct FieldWriter {
    /// The bytes that were written so far.
    private(set) var written: [UInt8] = []

    mutating func byte(_ byte: UInt8) { written.append(byte) }

    /// Writes bytes as they are.
    mutating func bytes(_ bytes: [UInt8]) { written += bytes }

    /// Writes a number in four bytes.
    mutating func number(_ number: UInt32) { withUnsafeBytes(of: number.bigEndian) { written += $0 } }

    /// Writes a text of at most 255 bytes.
    mutating func text(_ text: String) {
        precondition(text.utf8.count <= 255, "the type of each text bounds it")
        written.append(UInt8(text.utf8.count))
        written += text.utf8
    }

    /// Writes a text of at most 65,535 bytes.
    mutating func longText(_ text: String) {
        precondition(text.utf8.count <= Int(UInt16.max), "the type of each text bounds it")
        written += [UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 0xFF)]
        written += text.utf8
    }
}
