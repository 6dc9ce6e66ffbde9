/// Bytes as text of letters and digits that a person can type.
///
/// Standard: RFC 4648 §6.
package enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// The text for `bytes`: upper-case, and padded to a multiple of eight characters by default.
    package static func encode(_ bytes: [UInt8], padded: Bool = true) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 4) / 5 * 8)
        var pending: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            pending = pending << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[Int(pending >> bits & 0x1F)])
            }
            pending &= (1 << bits) - 1
        }
        if bits > 0 { text.append(alphabet[Int(pending << (5 - bits) & 0x1F)]) }
        while padded, text.count % 8 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes for text as a person copied it: in any case, with spaces and dashes between the characters, with
    /// padding or without.
    ///
    /// `nil` is returned for a character outside the alphabet, one after the padding, a length that no bytes have, and
    /// left-over bits that are not zero.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var pending: UInt32 = 0
        var bits: UInt32 = 0
        var characters = 0
        var padding = 0
        for character in text.utf8 where character != UInt8(ascii: " ") && character != UInt8(ascii: "-") {
            if character == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let value = value(of: character) else { return nil }
            characters += 1
            pending = pending << 5 | value
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> bits))
                pending &= (1 << bits) - 1
            }
        }
        guard bits < 5, pending == 0, padding == 0 || (padding < 8 && (characters + padding) % 8 == 0) else {
            return nil
        }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): UInt32(character - UInt8(ascii: "2") + 26)
        default: nil
        }
    }
}
