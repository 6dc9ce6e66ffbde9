/// Bytes as people compare them.
enum Hex {
    static func bytes(_ text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        precondition(digits.count == text.count && digits.count.isMultiple(of: 2), "\(text) is no hex")
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return bytes.reduce(into: "") { text, byte in
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
    }
}
