internal import Configuration
internal import Countersign
internal import CountersignServer
internal import Foundation

/// The settings of the pages: brand and language.
enum PageSettings {
    /// The operator's name and signs on the pages.
    ///
    /// - Throws: a ``Failure`` for a value that cannot be used.
    static func brand(in settings: ConfigReader) throws -> Brand {
        var brand = Brand()
        if let name = settings.string(forKey: "brand-name") { brand.name = try checked(name) }
        brand.logo = try settings.string(forKey: "brand-logo").map(logo)
        if let text = settings.string(forKey: "brand-accent") {
            guard let accent = AccentColor(text) else {
                throw Failure("brand-accent is a colour as #rrggbb, as in #0d5c63; not \(text).", status: .usage)
            }
            brand.accent = accent
        }
        brand.terms = try link("terms-url", in: settings)
        brand.privacy = try link("privacy-url", in: settings)
        return brand
    }

    /// The language of pages for people who prefer none of those that there are.
    static func language(in settings: ConfigReader) throws -> PageLanguage {
        guard let tag = settings.string(forKey: "language") else { return .english }
        guard let language = PageLanguage(rawValue: tag) else {
            let tags = PageLanguage.allCases.map(\.tag).joined(separator: ", ")
            throw Failure("The setting language is one of \(tags); not \(tag).", status: .usage)
        }
        return language
    }

    private static func checked(_ name: String) throws -> String {
        let isLine = !name.unicodeScalars.contains(where: \.isUnsafeInName)
        let isBlank = name.allSatisfy(\.isWhitespace)
        guard isLine, !isBlank, name.count <= Brand.longestName else {
            throw Failure("brand-name has 1 to \(Brand.longestName) characters, in one line.", status: .usage)
        }
        return name
    }

    private static func logo(at path: String) throws -> BrandLogo {
        // One byte more than a picture may have, so that a longer one is noticed and a huge one is not read.
        guard let file = FileHandle(forReadingAtPath: path),
            let bytes = try? file.read(upToCount: BrandLogo.longest + 1)
        else { throw Failure("The picture \(path) cannot be read.") }
        guard let logo = BrandLogo(Array(bytes)) else {
            throw Failure("The picture \(path) is neither SVG nor PNG of at most \(BrandLogo.longest / 1024) KiB.")
        }
        return logo
    }

    private static func link(_ key: String, in settings: ConfigReader) throws -> PolicyLink? {
        guard let text = settings.string(forKey: ConfigKey(key)) else { return nil }
        guard let link = PolicyLink(text) else {
            throw Failure("\(key) is an https:// address with a host; not \(text).", status: .usage)
        }
        return link
    }
}
