internal import FoundationEssentialsCompat
internal import Mustache

/// A text of a view, which the renderer resolves in the language of the page.
indirect enum LocalizedText: Sendable, Equatable {
    /// Text that is the same in every language: a name, an address, what a person typed.
    case verbatim(String)
    /// A text of the tables, with the values of the names in braces.
    case text(TextKey, [String: LocalizedText] = [:])
    /// A text about the life of a request, likewise.
    case history(TextKey.History, [String: LocalizedText] = [:])
    /// A text of the pages of administrators, likewise.
    case admin(TextKey.Admin, [String: LocalizedText] = [:])
    /// A number with what is counted.
    case counted(Int, TextKey.Plural)
    /// An instant, in the time zone of the reader.
    case instant(Date, InstantForm)

    /// The words in the language of a table.
    func words(in table: TextTable) -> String {
        switch self {
        case .verbatim(let text): text
        case .text(let key, let values): Self.words(key.rawValue, values, in: table)
        case .history(let key, let values): Self.words(key.rawValue, values, in: table)
        case .instant(let instant, let form): table.words(of: instant, as: form)
        case .admin(let key, let values): Self.words(key.rawValue, values, in: table)
        case .counted(let count, let plural):
            TextTable.fill(table[table.key(of: plural, for: count)]) { $0 == "count" ? "\(count)" : "{\($0)}" }
        }
    }

    private static func words(_ key: String, _ values: [String: LocalizedText], in table: TextTable) -> String {
        TextTable.fill(table[key]) { values[$0]?.words(in: table) ?? "{\($0)}" }
    }

    /// A name inside a sentence, isolated from the direction of the sentence.
    static func isolated(_ name: String) -> LocalizedText { .verbatim("\u{2068}\(name)\u{2069}") }

    /// The beginning of a text that was typed.
    static func typed(_ text: String) -> LocalizedText { .verbatim(String(text.prefix(80))) }

    /// The title of a page with a problem.
    static func problem(_ title: LocalizedText) -> LocalizedText { .text(.pageProblemTitle, ["title": title]) }

    /// The title of a page that may have a problem.
    static func title(_ title: LocalizedText, with problem: LocalizedText?) -> LocalizedText {
        problem == nil ? title : .problem(title)
    }

    /// The words in English, outside of pages.
    var english: String { words(in: .english) }
}

/// Rendering in templates. A text has no members, so that its own cases are not found by a template's names.
extension LocalizedText: MustacheCustomRenderable, MustacheParent {
    var renderText: String { words(in: TextTable.rendering) }
    var isNull: Bool { false }

    func child(named: String) -> Any? { nil }
}
