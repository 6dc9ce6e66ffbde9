/// Text in lines of at most 76 ASCII characters.
///
/// Standard: RFC 2045 §6.7.
enum QuotedPrintable {
    private static let width = 76
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The encoded text.
    ///
    /// - Parameter text: The text with `\n` between its lines.
    static func encode(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { encode(line: Array($0.utf8)) }
            .joined(separator: "\n")
    }

    private static func encode(line: [UInt8]) -> String {
        var encoded: [UInt8] = []
        var length = 0
        for (place, byte) in line.enumerated() {
            let isLast = place == line.count - 1
            let part = part(for: byte, isFirst: place == 0, isLast: isLast)
            // A line that goes on has `=` at its end.
            if length + part.count > (isLast ? width : width - 1) {
                encoded += Array("=\n".utf8)
                length = 0
            }
            encoded += part
            length += part.count
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// The characters for a byte. White space at the end of a line may be lost on the way; a line of one dot ends a
    /// mail for some programs.
    private static func part(for byte: UInt8, isFirst: Bool, isLast: Bool) -> [UInt8] {
        let isSpace = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
        let isPrintable = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
        let isKept = isPrintable && !(isFirst && byte == UInt8(ascii: ".")) || isSpace && !isLast
        return isKept ? [byte] : [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}
