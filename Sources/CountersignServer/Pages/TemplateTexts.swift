/// Inserts the texts of a language into a template, before its compilation.
///
/// A template contains the key of a text: `[[login.username]]`. For a name in braces in the text, the template may give
/// a value with markup: `[[page.signedInAs|person=<b>{{personName}}</b>]]`; by default it is the page's value of that
/// name. Texts are escaped, and contain neither markup nor template syntax.
struct TemplateTexts {
    let table: TextTable

    /// The template with all its texts, in one pass over its bytes.
    ///
    /// - Throws: ``TemplateError`` for a missing text, and for unbalanced brackets.
    func filled(_ template: String, named name: String) throws(TemplateError) -> String {
        let bytes = Array(template.utf8)
        var filled: [UInt8] = []
        filled.reserveCapacity(2 * bytes.count)
        // Starts of the contents of the open marks; the innermost mark is the last.
        var open: [Int] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            let isDoubled = index + 1 < bytes.count && bytes[index + 1] == byte
            if isDoubled, byte == UInt8(ascii: "[") {
                open.append(filled.count)
                index += 2
            } else if isDoubled, byte == UInt8(ascii: "]") {
                guard let start = open.popLast() else { throw TemplateError(name: name, reason: "]] without [[") }
                let mark = String(decoding: filled[start...], as: UTF8.self)
                filled.replaceSubrange(start..., with: try text(marked: mark, in: name).utf8)
                index += 2
            } else {
                filled.append(byte)
                index += 1
            }
        }
        guard open.isEmpty else { throw TemplateError(name: name, reason: "[[ without ]]") }
        return String(decoding: filled, as: UTF8.self)
    }

    private func text(marked mark: String, in template: String) throws(TemplateError) -> String {
        let parts = mark.split(separator: "|", omittingEmptySubsequences: false)
        let key = String(parts[0])
        guard let text = table.texts[key] else {
            throw TemplateError(name: template, reason: "the table \(table.tag) has no text \(key)")
        }
        var values: [String: String] = [:]
        for part in parts.dropFirst() {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { throw TemplateError(name: template, reason: "\(part) has no value") }
            values[String(halves[0])] = String(halves[1])
        }
        let unknown = Set(values.keys).subtracting(TextTable.placeholders(in: text))
        guard unknown.isEmpty else {
            throw TemplateError(name: template, reason: "the text \(key) has no \(unknown.sorted())")
        }
        return TextTable.fill(Self.escaped(text)) { values[$0] ?? "{{\($0)}}" }
    }

    /// The text, escaped for HTML and templates, except braces around names.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in HTMLEscaping().escapeText(text).unicodeScalars {
            switch character {
            case "[": escaped += "&#91;"
            case "]": escaped += "&#93;"
            case "|": escaped += "&#124;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
