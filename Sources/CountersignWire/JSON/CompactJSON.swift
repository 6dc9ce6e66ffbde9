/// Writes one JSON object member by member, for the messages that are sent thousands of times a second.
///
/// `JSONEncoder` takes longer for such a message than the rest of its request together. The result is the same: members
/// in the order of addition, which callers keep sorted by name, without spaces, slashes not escaped.
/// Standard: RFC 8259.
package struct CompactJSON {
    private var bytes: [UInt8] = []

    /// Begins an object, with memory for most messages reserved.
    package init() {
        bytes.reserveCapacity(512)
        bytes.append(UInt8(ascii: "{"))
    }

    package static func bytes(of message: some CompactlyWritten) -> [UInt8] {
        var json = CompactJSON()
        message.write(to: &json)
        return json.finished()
    }

    /// Ends the object and returns its bytes.
    package consuming func finished() -> [UInt8] {
        var bytes = bytes
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Adds a text; nothing for `nil`.
    package mutating func add(_ name: some CodingKey, _ text: String?) {
        guard let text else { return }
        begin(name)
        append(text)
    }

    /// Adds a number; nothing for `nil`.
    package mutating func add(_ name: some CodingKey, _ number: Int?) {
        guard let number else { return }
        begin(name)
        bytes.append(contentsOf: number.description.utf8)
    }

    /// Adds a truth value; nothing for `nil`.
    package mutating func add(_ name: some CodingKey, _ fact: Bool?) {
        guard let fact else { return }
        begin(name)
        bytes.append(contentsOf: (fact ? "true" : "false").utf8)
    }

    /// Adds a list of texts; nothing for `nil`.
    package mutating func add(_ name: some CodingKey, _ texts: [String]?) {
        guard let texts else { return }
        begin(name)
        bytes.append(UInt8(ascii: "["))
        for (place, text) in texts.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            append(text)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Adds an object; nothing for `nil`.
    package mutating func add(_ name: some CodingKey, _ object: (some CompactlyWritten)?) {
        guard let object else { return }
        begin(name)
        bytes.append(contentsOf: Self.bytes(of: object))
    }

    /// Writes the separator, if one is needed, and the member's name.
    private mutating func begin(_ name: some CodingKey) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        append(name.stringValue)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a string with its quotes, escaping where JSON requires it.
    private mutating func append(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            if utf8.allSatisfy(Self.standsForItself) {
                bytes.append(contentsOf: utf8)
            } else {
                for byte in utf8 { append(byte) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether a byte needs no escape in a JSON string.
    private static func standsForItself(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Writes one byte of a string, escaped where JSON requires it.
    private mutating func append(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case 0x08: bytes += Array("\\b".utf8)
        case 0x09: bytes += Array("\\t".utf8)
        case 0x0A: bytes += Array("\\n".utf8)
        case 0x0C: bytes += Array("\\f".utf8)
        case 0x0D: bytes += Array("\\r".utf8)
        case 0..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
        default: bytes.append(byte)
        }
    }
}

/// A message that writes itself without `JSONEncoder`, to the same bytes.
package protocol CompactlyWritten: Encodable {
    /// Adds the members, sorted by name.
    func write(to json: inout CompactJSON)
}
