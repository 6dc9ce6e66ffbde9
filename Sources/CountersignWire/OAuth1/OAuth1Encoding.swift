/// The percent encoding of OAuth 1: every byte but the unreserved ones is escaped, in upper case.
///
/// It is not that of forms: a space is `%20`, and `*` is escaped while `~` is not.
/// Standard: RFC 5849 §3.6.
enum OAuth1Encoding {
    /// Whether a byte is never escaped: a letter, a digit, or one of `-._~`.
    static func isPlain(_ byte: UInt8) -> Bool { plain.utf8Start[Int(byte)] == UInt8(ascii: "1") }

    /// For each byte, sixteen in a row, `1` if it is never escaped. It is a constant rather than lazily initialised,
    /// since every byte of every request is looked up in it.
    private static var plain: StaticString {
        """
        0000000000000000\
        0000000000000000\
        0000000000000110\
        1111111111000000\
        0111111111111111\
        1111111111100001\
        0111111111111111\
        1111111111100010\
        0000000000000000\
        0000000000000000\
        0000000000000000\
        0000000000000000\
        0000000000000000\
        0000000000000000\
        0000000000000000\
        0000000000000000
        """
    }

    /// Writes the encoded form of one byte to where `end` points; there must be room for three.
    static func write(_ byte: UInt8, to encoded: UnsafeMutablePointer<UInt8>, at end: inout Int) {
        if isPlain(byte) {
            encoded[end] = byte
            end &+= 1
        } else {
            encoded[end] = UInt8(ascii: "%")
            encoded[end &+ 1] = digit(byte >> 4)
            encoded[end &+ 2] = digit(byte & 0x0F)
            end &+= 3
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    /// Writes the encoded form of bytes to where `end` points; there must be room for three times as many.
    static func write(_ bytes: UnsafeBufferPointer<UInt8>, to encoded: UnsafeMutablePointer<UInt8>, at end: inout Int) {
        var last = end
        for byte in bytes { write(byte, to: encoded, at: &last) }
        end = last
    }

    static func append(_ text: String, to encoded: inout [UInt8]) { encoded += bytes(of: text) }

    /// The encoded form of a text, as bytes of ASCII.
    static func bytes(of text: String) -> [UInt8] {
        var text = text
        return text.withUTF8 { text in
            [UInt8](unsafeUninitializedCapacity: 3 * text.count) { room, end in
                if let start = room.baseAddress { write(text, to: start, at: &end) }
            }
        }
    }

    /// The encoded form of a text.
    static func encode(_ text: String) -> String { String(decoding: bytes(of: text), as: UTF8.self) }

    /// Decodes text; every escape in it is whole.
    static func decode(_ encoded: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: encoded.count) { decoded, count in
            var (place, end) = (0, 0)
            while place < encoded.count {
                var byte = encoded[place]
                if byte == UInt8(ascii: "%"), place &+ 2 < encoded.count,
                    let escaped = escaped(encoded[place &+ 1], encoded[place &+ 2])
                {
                    byte = escaped
                    place &+= 2
                }
                decoded[end] = byte
                end &+= 1
                place &+= 1
            }
            count = end
        }
    }

    /// The byte of two hexadecimal digits; `nil` when they are invalid.
    static func escaped(_ high: UInt8, _ low: UInt8) -> UInt8? {
        guard let high = Form.hexDigit(high), let low = Form.hexDigit(low) else { return nil }
        return high << 4 | low
    }
}
