internal import Countersign
internal import CountersignServer
internal import Foundation

/// The settings of the pages: the operator's name and signs, and the language.
enum PageSettings: SettingSection {
    static let settings = [
        Setting.value(
            "brand-name", takes: "name", "The name of the server on its pages. (default: Countersign)",
            to: \.brand.name, name),
        .value(
            "brand-logo", takes: "file",
            "A file with the picture beside the name: SVG or PNG, of at most 256 KiB. It is read at the start.",
            to: \.brand.logo, logo),
        .value(
            "brand-accent", takes: "#rrggbb",
            "The colour of buttons and links; text on it is black or white, and dark mode lightens it.",
            to: \.brand.accent
        ) { text in
            try AccentColor(text).or(usage: "brand-accent is a colour as #rrggbb, as in #0d5c63; not \(text).")
        },
        link("terms-url", "The https address of the terms of use, to which each page links.", to: \.brand.terms),
        link("privacy-url", "The https address of the privacy policy, to which each page links.", to: \.brand.privacy),
        .value(
            "language", takes: "tag",
            "The language of pages for people whose browser prefers none of en, de, fr and es. (default: en)",
            to: \.language
        ) { text in
            let tags = PageLanguage.allCases.map(\.tag).joined(separator: ", ")
            return try PageLanguage(rawValue: text).or(usage: "The setting language is one of \(tags); not \(text).")
        },
        .value(
            "sign-in-with-phone", takes: "on-or-off",
            """
            Whether the sign-in page offers "Sign in with your phone", for televisions and borrowed machines: on or \
            off. (default: on)
            """,
            to: \.offersSignInWithPhone
        ) { text in
            switch text {
            case "on": return true
            case "off": return false
            default: throw CommandError.usage("The setting sign-in-with-phone is on or off; not \(text).")
            }
        },
    ]

    private static func link(_ key: String, _ help: String, to member: Setting.Member<PolicyLink?>) -> Setting {
        .value(key, takes: "url", help, to: member) { text in
            try PolicyLink(text).or(usage: "\(key) is an https:// address with a host; not \(text).")
        }
    }

    @Sendable private static func name(_ text: String) throws -> String {
        let isLine = !text.unicodeScalars.contains(where: \.isUnsafeInName)
        guard isLine, !text.allSatisfy(\.isWhitespace), text.count <= Brand.longestName else {
            throw CommandError.usage("brand-name has 1 to \(Brand.longestName) characters, in one line.")
        }
        return text
    }

    @Sendable private static func logo(at path: String) throws -> BrandLogo {
        // One byte more than a picture may have, so that a longer one is noticed and a huge one is not read.
        guard let file = FileHandle(forReadingAtPath: path),
            let bytes = try? file.read(upToCount: BrandLogo.longest + 1)
        else { throw CommandError("The picture \(path) cannot be read.") }
        return try BrandLogo(Array(bytes)).or(
            failure: "The picture \(path) is neither SVG nor PNG of at most \(BrandLogo.longest / 1024) KiB.")
    }
}
