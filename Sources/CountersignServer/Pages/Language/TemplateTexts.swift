/// Puts the texts of a language into a template, before it is compiled.
///
/// A template names a text by its key: `[[login.username]]`. Where the text has a name in braces, the template may say
/// what stands there, which may be markup: `[[page.signedInAs|person=<b>{{personName}}</b>]]`; otherwise it is the
/// page's value of that name. A text itself holds neither markup nor template syntax: it is escaped here.
struct TemplateTexts {
    let table: TextTable

    /// The template with all its texts.
    ///
    /// - Throws: ``BrokenTemplate`` for a key that the table lacks.
    func filled(_ template: String, named name: String) throws(BrokenTemplate) -> String {
        var template = template
        // The innermost mark first: what it is replaced by contains no brackets.
        while let end = template.firstRange(of: "]]") {
            let before = template[..<end.lowerBound]
            guard let start = before.ranges(of: "[[").last else {
                throw BrokenTemplate(name: name, reason: "]] without [[")
            }
            let text = try text(marked: before[start.upperBound...], in: name)
            template.replaceSubrange(start.lowerBound..<end.upperBound, with: text)
        }
        return template
    }

    private func text(marked mark: Substring, in template: String) throws(BrokenTemplate) -> String {
        let parts = mark.split(separator: "|", omittingEmptySubsequences: false)
        let key = String(parts[0])
        guard let text = table.texts[key] else {
            throw BrokenTemplate(name: template, reason: "the table \(table.tag) has no text \(key)")
        }
        var values: [String: String] = [:]
        for part in parts.dropFirst() {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { throw BrokenTemplate(name: template, reason: "\(part) has no value") }
            values[String(halves[0])] = String(halves[1])
        }
        let unknown = Set(values.keys).subtracting(TextTable.placeholders(in: text))
        guard unknown.isEmpty else {
            throw BrokenTemplate(name: template, reason: "the text \(key) has no \(unknown.sorted())")
        }
        return TextTable.fill(Self.escaped(text)) { values[$0] ?? "{{\($0)}}" }
    }

    /// The text without what means something to HTML or to templates; braces around a name stay.
    private static func escaped(_ text: String) -> String {
        var escaped = HTMLEscaping().escapeText(text)
        for (mark, reference) in [("[", "&#91;"), ("]", "&#93;"), ("|", "&#124;")] {
            escaped = escaped.replacing(mark, with: reference)
        }
        return escaped
    }
}
