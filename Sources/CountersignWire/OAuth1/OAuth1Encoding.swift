internal import Countersign

/// The percent encoding of OAuth 1: every byte but the unreserved ones is escaped, in upper case.
///
/// It is not that of forms: a space is `%20`, and `*` is escaped while `~` is not.
/// Standard: RFC 5849 §3.6.
enum OAuth1Encoding {
    private static let digits = Array("0123456789ABCDEF".utf8)
    private static let isPlain: [Bool] = (0...255).map { URLSafeText.isUnreserved(UInt8($0)) }

    /// Appends the encoded form of a text.
    static func append(_ text: String, to encoded: inout [UInt8]) {
        var text = text
        text.withUTF8 { append($0, to: &encoded) }
    }

    /// Appends the encoded form of bytes.
    static func append(_ bytes: [UInt8], to encoded: inout [UInt8]) {
        bytes.withUnsafeBufferPointer { append($0, to: &encoded) }
    }

    /// Appends what needs no escape in one piece each: most texts are one such piece.
    private static func append(_ bytes: UnsafeBufferPointer<UInt8>, to encoded: inout [UInt8]) {
        isPlain.withUnsafeBufferPointer { isPlain in
            var start = 0
            while start < bytes.count {
                var end = start
                while end < bytes.count, isPlain[Int(bytes[end])] { end += 1 }
                encoded.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<end]))
                if end < bytes.count {
                    encoded.append(UInt8(ascii: "%"))
                    encoded.append(digits[Int(bytes[end] >> 4)])
                    encoded.append(digits[Int(bytes[end] & 0x0F)])
                }
                start = end + 1
            }
        }
    }

    /// The encoded form of a text, as bytes of ASCII.
    static func bytes(of text: String) -> [UInt8] {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count + 8)
        append(text, to: &encoded)
        return encoded
    }

    /// The encoded form of a text.
    static func encode(_ text: String) -> String {
        String(decoding: bytes(of: text), as: UTF8.self)
    }

    /// The text that is encoded; `nil` unless every character is unreserved or part of a whole escape, and the whole is
    /// UTF-8 without NUL. Escapes may be in lower case.
    static func decode(_ encoded: ArraySlice<UInt8>) -> String? {
        // Most have no escapes.
        let isWholePlain = isPlain.withUnsafeBufferPointer { isPlain in encoded.allSatisfy { isPlain[Int($0)] } }
        if isWholePlain { return encoded.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(encoded.count)
        var seen: UInt8 = 0
        var rest = encoded
        while let byte = rest.popFirst() {
            if isPlain[Int(byte)] {
                decoded.append(byte)
            } else {
                guard byte == UInt8(ascii: "%"), let high = rest.popFirst().flatMap(Form.hexDigit),
                    let low = rest.popFirst().flatMap(Form.hexDigit), high << 4 | low != 0
                else { return nil }
                decoded.append(high << 4 | low)
                seen |= high << 4
            }
        }
        return seen < 0x80 ? String(decoding: decoded, as: UTF8.self) : String(validating: decoded, as: UTF8.self)
    }
}
