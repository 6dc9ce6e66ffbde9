internal import Countersign

/// The percent encoding of OAuth 1: every byte but the unreserved ones is escaped, in upper case.
///
/// It is not that of forms: a space is `%20`, and `*` is escaped while `~` is not.
/// Standard: RFC 5849 §3.6.
enum OAuth1Encoding {
    private static let digits = Array("0123456789ABCDEF".utf8)
    private static let isPlain: [Bool] = (0...255).map { URLSafeText.isUnreserved(UInt8($0)) }

    /// Appends the encoded form of `bytes`.
    static func append(_ bytes: some Sequence<UInt8>, to encoded: inout [UInt8]) {
        for byte in bytes {
            if isPlain[Int(byte)] {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(digits[Int(byte >> 4)])
                encoded.append(digits[Int(byte & 0x0F)])
            }
        }
    }

    /// The encoded form of a text, as bytes of ASCII.
    static func bytes(of text: String) -> [UInt8] {
        var text = text
        var encoded: [UInt8] = []
        text.withUTF8 { bytes in
            encoded.reserveCapacity(bytes.count + 8)
            append(bytes, to: &encoded)
        }
        return encoded
    }

    /// The encoded form of a text.
    static func encode(_ text: String) -> String {
        String(decoding: bytes(of: text), as: UTF8.self)
    }

    /// The text that is encoded; `nil` unless every character is unreserved or part of a whole escape, and the whole is
    /// UTF-8 without NUL. Escapes may be in lower case.
    static func decode(_ encoded: some Sequence<UInt8>) -> String? {
        var decoded: [UInt8] = []
        var rest = encoded.makeIterator()
        while let byte = rest.next() {
            if isPlain[Int(byte)] {
                decoded.append(byte)
            } else {
                guard byte == UInt8(ascii: "%"), let high = rest.next().flatMap(Form.hexDigit),
                    let low = rest.next().flatMap(Form.hexDigit)
                else { return nil }
                decoded.append(high << 4 | low)
            }
        }
        let text = String(decoding: decoded, as: UTF8.self)
        guard text.utf8.elementsEqual(decoded), !decoded.contains(0) else { return nil }
        return text
    }
}
