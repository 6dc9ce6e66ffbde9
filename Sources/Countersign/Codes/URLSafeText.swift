/// Bytes as text that is safe in a URL, a header and a file name.
///
/// Standard: RFC 4648 §5 (base64url), without padding.
package enum URLSafeText {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    /// The value of each character, at each of its four places.
    private static let values = values(of: alphabet)
    /// The bits of characters outside the alphabet, which no value has.
    private static let invalid: UInt32 = 0xFF00_0000

    /// The text for `bytes`.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String { encode(Array(bytes)) }

    /// The text for `bytes`.
    ///
    /// This overload for arrays avoids generic code, because it encodes every token.
    package static func encode(_ bytes: [UInt8]) -> String {
        let (whole, rest) = bytes.count.quotientAndRemainder(dividingBy: 3)
        let count = whole * 4 + (rest == 0 ? 0 : rest + 1)
        return alphabet.withUnsafeBufferPointer { alphabet in
            bytes.withUnsafeBufferPointer { bytes in
                String(unsafeUninitializedCapacity: count) { text in
                    for group in 0..<whole {
                        let place = group * 3
                        let value =
                            UInt32(bytes[place]) << 16 | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2])
                        text[group * 4] = alphabet[Int(value >> 18)]
                        text[group * 4 + 1] = alphabet[Int(value >> 12 & 0x3F)]
                        text[group * 4 + 2] = alphabet[Int(value >> 6 & 0x3F)]
                        text[group * 4 + 3] = alphabet[Int(value & 0x3F)]
                    }
                    guard rest > 0 else { return count }
                    let value = UInt32(bytes[whole * 3]) << 8 | (rest == 2 ? UInt32(bytes[whole * 3 + 1]) : 0)
                    text[whole * 4] = alphabet[Int(value >> 10)]
                    text[whole * 4 + 1] = alphabet[Int(value >> 4 & 0x3F)]
                    if rest == 2 { text[whole * 4 + 2] = alphabet[Int(value << 2 & 0x3F)] }
                    return count
                }
            }
        }
    }

    /// The bytes for `text`; `nil` for a character outside the alphabet, a length that no bytes have, or
    /// left-over bits that are not zero (so that every value has one spelling).
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        text.utf8.withContiguousStorageIfAvailable(decode) ?? decode(Array(text.utf8))
    }

    /// The same for text as UTF-8.
    package static func decode(_ text: [UInt8]) -> [UInt8]? { text.withUnsafeBufferPointer(decode) }

    /// The same for text as UTF-8 that lies in a larger one.
    package static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? { decode(text, by: values) }

    /// The value of each byte in an alphabet of 64 characters, for ``decode(_:by:)``: four tables, one for each place
    /// in a group of four characters, with the value at its place among the 24 bits.
    package static func values(of alphabet: [UInt8]) -> [UInt32] {
        var values = [UInt32](repeating: invalid, count: 4 * 256)
        for (value, character) in alphabet.enumerated() {
            for place in 0..<4 { values[place * 256 + Int(character)] = UInt32(value) << (18 - 6 * place) }
        }
        return values
    }

    /// The bytes for unpadded text in an alphabet with the given values.
    package static func decode(_ text: UnsafeBufferPointer<UInt8>, by values: [UInt32]) -> [UInt8]? {
        let (whole, rest) = text.count.quotientAndRemainder(dividingBy: 4)
        guard rest != 1 else { return nil }
        let count = whole * 3 + (rest == 0 ? 0 : rest - 1)
        var isValid = true
        let bytes = values.withUnsafeBufferPointer { values in
            [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
                var seen: UInt32 = 0
                var (place, end) = (0, 0)
                for _ in 0..<whole {
                    let group =
                        values[Int(text[place])] | values[256 &+ Int(text[place &+ 1])]
                        | values[512 &+ Int(text[place &+ 2])] | values[768 &+ Int(text[place &+ 3])]
                    seen |= group
                    bytes[end] = UInt8(truncatingIfNeeded: group >> 16)
                    bytes[end &+ 1] = UInt8(truncatingIfNeeded: group >> 8)
                    bytes[end &+ 2] = UInt8(truncatingIfNeeded: group)
                    place &+= 4
                    end &+= 3
                }
                if rest > 0 {
                    var group = values[Int(text[place])] | values[256 + Int(text[place + 1])]
                    if rest == 3 { group |= values[512 + Int(text[place + 2])] }
                    bytes[end] = UInt8(truncatingIfNeeded: group >> 16)
                    if rest == 3 { bytes[end + 1] = UInt8(truncatingIfNeeded: group >> 8) }
                    seen |= group
                    // The bits behind the last byte have to be zero.
                    if group & (rest == 3 ? 0xFF : 0xFFFF) != 0 { seen = invalid }
                }
                isValid = seen & invalid == 0
                initialized = count
            }
        }
        return isValid ? bytes : nil
    }

    /// Whether a byte needs no escape in any part of a URL.
    ///
    /// Standard: RFC 3986 §2.3.
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
