extension String {
    /// The text in HTML, between tags and between quotes. Browsers read scalars, so each of them is escaped by itself.
    package var escapedForHTML: String {
        var escaped = String.UnicodeScalarView()
        escaped.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
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
