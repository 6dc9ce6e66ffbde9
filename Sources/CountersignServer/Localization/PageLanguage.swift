internal import CountersignWire

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

    /// The language of the request that is being answered, for every page that is made meanwhile; `nil` outside of one.
    ///
    /// `PageRoutes` sets it, so that no page has to hand it on. Only ``PageRoutes`` reads it.
    @TaskLocal static var ofRequest: PageLanguage?

    /// The first language that a person would like to read and that there is; `nil` when they name none of ours.
    ///
    /// Standard: RFC 4647 §3.4.
    init?(preferred ranges: LanguageRanges, otherwise fallback: PageLanguage) {
        guard let tag = ranges.lookup(in: Self.allCases.map(\.tag), otherwise: fallback.tag) else { return nil }
        self.init(rawValue: tag)
    }
}
