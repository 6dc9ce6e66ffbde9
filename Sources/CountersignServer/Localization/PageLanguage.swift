/// A language of the pages.
///
/// ```swift
/// settings.language = .german
/// ```
public enum PageLanguage: String, Sendable, Hashable, CaseIterable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case spanish = "es"

    /// The tag of the language, as `lang` and `Content-Language` have it.
    ///
    /// Standard: RFC 5646.
    public var tag: String { rawValue }

    /// The language of the current request; `nil` outside of one.
    ///
    /// Only ``PageRoutes`` sets and reads it.
    @TaskLocal static var ofRequest: PageLanguage?

    /// The first preferred language with texts; `nil` for none.
    ///
    /// Standard: RFC 4647 §3.4.
    init?(preferred ranges: LanguageRanges, otherwise fallback: PageLanguage) {
        guard let tag = ranges.lookup(in: Self.allCases.map(\.tag), otherwise: fallback.tag) else { return nil }
        self.init(rawValue: tag)
    }
}
