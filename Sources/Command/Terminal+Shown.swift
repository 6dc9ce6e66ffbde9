internal import Foundation

extension String {
    /// The text with a mark in place of each control character, line break and bidirectional control. For all text from
    /// outside.
    var shown: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.steersTerminals ? "�" : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var steersTerminals: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }
}

extension Terminal {
    /// Writes a value as JSON, with control characters as escapes.
    static func sayJSON(_ value: some Encodable, inOneLine: Bool = false) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if !inOneLine { encoder.outputFormatting.insert(.prettyPrinted) }
        encoder.dateEncodingStrategy = .iso8601
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        say(
            text.unicodeScalars.reduce(into: "") { escaped, scalar in
                // Line breaks are the encoder's own. All control characters are below U+10000.
                if scalar != "\n", scalar.steersTerminals {
                    let digits = String(scalar.value, radix: 16)
                    escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    escaped.unicodeScalars.append(scalar)
                }
            })
    }
}
