/// The base32 encoding of RFC 4648, as far as names need it.
package enum LowercaseBase32 {
    /// The bytes in lower case, five bits a character, without padding.
    package static func lowercase(_ bytes: some Sequence<UInt8>) -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
        var text = ""
        var (held, bits) = (0, 0)
        for byte in bytes {
            (held, bits) = (held << 8 | Int(byte), bits + 8)
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[held >> bits & 31])
            }
            held &= (1 << bits) - 1
        }
        if bits > 0 { text.append(alphabet[held << (5 - bits) & 31]) }
        return text
    }
}
