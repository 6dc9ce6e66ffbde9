/// Bytes as text by the alphabet of RFC 4648 §4, as HTTP's Basic scheme requires.
package enum Base64 {
    /// The padded text for `bytes`.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text = URLSafeText.encode(bytes).utf8.map { character -> UInt8 in
            switch character {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: character
            }
        }
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes for padded or unpadded text; `nil` for anything else.
    package static func decode(_ text: Substring) -> [UInt8]? { decode(Array(text.utf8)) }

    /// The same for text as UTF-8.
    package static func decode(_ text: [UInt8]) -> [UInt8]? {
        var count = text.count
        while count > 0, text[count - 1] == UInt8(ascii: "=") { count -= 1 }
        let padding = text.count - count
        guard padding == 0 || (padding <= 2 && text.count % 4 == 0) else { return nil }
        return text.withUnsafeBufferPointer { text in
            URLSafeText.decode(UnsafeBufferPointer(rebasing: text[..<count]), by: values)
        }
    }

    private static let values = URLSafeText.values(
        of: Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8))
}
