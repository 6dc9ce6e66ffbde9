internal import Mustache

/// Makes text harmless in HTML, between tags and between quotes.
///
/// The escaping that swift-mustache brings looks at whole characters, and a quote followed by a combining mark is
/// another character than a quote: it would pass and end the attribute. A browser looks at scalars, so this does too.
struct HTMLEscaping: MustacheContentType {
    /// What templates call it.
    static let name = "COUNTERSIGN_HTML"

    func escapeText(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            case "\t", "\n", "\r": escaped.append(scalar)
            case _ where scalar.properties.generalCategory == .control: escaped.append("\u{FFFD}")
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
