internal import ArgumentParser

/// The options for the operator's name and signs on the pages.
struct PageOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The name of the server on its pages. (default: Countersign)",
            discussion: "Key brand-name, environment COUNTERSIGN_BRAND_NAME.",
            valueName: "name"
        )
    )
    var brandName: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file with the picture beside the name: SVG or PNG, of at most 256 KiB. It is read at the start.",
            discussion: "Key brand-logo, environment COUNTERSIGN_BRAND_LOGO.",
            valueName: "file"
        )
    )
    var brandLogo: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The colour of buttons and links; text on it is black or white, and dark mode lightens it.",
            discussion: "Key brand-accent, environment COUNTERSIGN_BRAND_ACCENT.",
            valueName: "#rrggbb"
        )
    )
    var brandAccent: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The https address of the terms of use, to which each page links.",
            discussion: "Key terms-url, environment COUNTERSIGN_TERMS_URL.",
            valueName: "url"
        )
    )
    var termsURL: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The https address of the privacy policy, to which each page links.",
            discussion: "Key privacy-url, environment COUNTERSIGN_PRIVACY_URL.",
            valueName: "url"
        )
    )
    var privacyURL: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The language of pages for people whose browser prefers none of en, de, fr and es. (default: en)",
            discussion: "Key language, environment COUNTERSIGN_LANGUAGE.",
            valueName: "tag"
        )
    )
    var language: String?

    /// The options of the command line, by the keys of the settings.
    var flags: [String: String?] {
        [
            "brand-accent": brandAccent,
            "brand-logo": brandLogo,
            "brand-name": brandName,
            "language": language,
            "privacy-url": privacyURL,
            "terms-url": termsURL,
        ]
    }
}
