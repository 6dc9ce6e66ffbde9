internal import Countersign

/// Bytes as text by the alphabet of RFC 4648 §4, as HTTP's Basic scheme wants it.
enum Base64 {
    /// The padded text for `bytes`.
    static func encode(_ bytes: [UInt8]) -> String {
        let text = URLSafeText.encode(bytes).map { character -> Character in
            switch character {
            case "-": "+"
            case "_": "/"
            default: character
            }
        }
        return String(text) + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }

    /// The bytes for padded or unpadded text; `nil` for anything else.
    static func decode(_ text: Substring) -> [UInt8]? {
        var unpadded = text
        var padding = 0
        while unpadded.last == "=" {
            unpadded.removeLast()
            padding += 1
        }
        guard padding == 0 || (padding <= 2 && text.utf8.count % 4 == 0),
            !unpadded.contains(where: { $0 == "-" || $0 == "_" })
        else { return nil }
        let safe = unpadded.map { character -> Character in
            switch character {
            case "+": "-"
            case "/": "_"
            default: character
            }
        }
        return URLSafeText.decode(String(safe))
    }
}
