internal import FoundationEssentialsCompat

/// All texts of the pages in one language.
///
/// A line of its file is `key = text`; a line that is empty or begins with `#` is skipped. `{name}` in a text is
/// replaced by a value.
struct TextTable: Sendable, Equatable {
    /// The direction of a language's writing.
    enum Direction: String, Sendable {
        case leftToRight = "ltr"
        case rightToLeft = "rtl"
    }

    /// The tag of the language.
    let tag: String
    var direction = Direction.leftToRight
    /// The texts by their keys.
    let texts: [String: String]
    /// The time zone of the reader; `nil` for an unknown one.
    var zone: TimeZone?

    /// The table of the current page; only ``PageRenderer`` sets it.
    @TaskLocal static var rendering = TextTable.english

    /// The text of a key; the English one as a fallback.
    subscript(key: String) -> String {
        texts[key] ?? Self.english.texts[key] ?? key
    }

    /// The key of the form of a text that goes with a number.
    ///
    /// Standard: the cardinal plural rules of the Unicode CLDR for these languages.
    func key(of plural: TextKey.Plural, for count: Int) -> String {
        let isOne = tag == "fr" ? count == 0 || count == 1 : count == 1
        return "\(plural.rawValue).\(isOne ? "one" : "other")"
    }
}

extension TextTable {
    static let english = TextTable(.english)
    private static let german = TextTable(.german)
    private static let french = TextTable(.french)
    private static let spanish = TextTable(.spanish)

    /// The built-in table of a language, read at its first use.
    static func of(_ language: PageLanguage) -> TextTable {
        switch language {
        case .english: english
        case .german: german
        case .french: french
        case .spanish: spanish
        }
    }

    private init(_ language: PageLanguage) {
        let bytes =
            switch language {
            case .english: PackageResources.en_txt
            case .german: PackageResources.de_txt
            case .french: PackageResources.fr_txt
            case .spanish: PackageResources.es_txt
            }
        self.init(tag: language.tag, texts: Self.parse(String(decoding: bytes, as: UTF8.self)))
    }

    /// Reads the lines of a file.
    static func parse(_ file: String) -> [String: String] {
        var texts: [String: String] = [:]
        for line in file.split(separator: "\n") where !line.hasPrefix("#") {
            guard let equals = line.firstRange(of: " = ") else { continue }
            texts[String(line[..<equals.lowerBound])] = String(line[equals.upperBound...])
        }
        return texts
    }

    /// The names in braces, in order of appearance.
    static func placeholders(in text: String) -> [String] {
        text.split(separator: "{").dropFirst(text.hasPrefix("{") ? 0 : 1).compactMap { piece in
            piece.firstIndex(of: "}").map { String(piece[..<$0]) }
        }
    }

    /// The text with each `{name}` replaced by what `value` returns for the name.
    static func fill(_ text: String, with value: (String) -> String) -> String {
        var filled = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            filled += rest[..<open]
            filled += value(String(rest[rest.index(after: open)..<close]))
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }
}
