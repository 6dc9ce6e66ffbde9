internal import Countersign

/// Bytes as text by the alphabet of RFC 4648 §4, as HTTP's Basic scheme wants it.
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
    package static func decode(_ text: Substring) -> [UInt8]? {
        var characters = Array(text.utf8)
        while characters.last == UInt8(ascii: "=") { characters.removeLast() }
        let padding = text.utf8.count - characters.count
        guard padding == 0 || (padding <= 2 && text.utf8.count % 4 == 0) else { return nil }
        for place in characters.indices {
            switch characters[place] {
            case UInt8(ascii: "+"): characters[place] = UInt8(ascii: "-")
            case UInt8(ascii: "/"): characters[place] = UInt8(ascii: "_")
            case UInt8(ascii: "-"), UInt8(ascii: "_"): return nil
            default: continue
            }
        }
        return URLSafeText.decode(characters)
    }
}
