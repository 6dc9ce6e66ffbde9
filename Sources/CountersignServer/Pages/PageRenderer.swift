internal import FoundationEssentialsCompat
internal import Mustache

/// Renders pages as HTML.
///
/// Templates are compiled with their texts: in English at the start of the server, in other languages at their first
/// use. Tests ensure that all of them compile.
struct PageRenderer: Sendable {
    private let base: String
    let brand: Brand
    private let stylesheet: PageAsset
    private let logo: PageAsset?
    /// The templates with given texts; `nil` for the built-in ones.
    private let templates: [PageLanguage: Templates]?

    /// All templates in one language.
    private struct Templates: Sendable {
        let table: TextTable
        let templates: [PageTemplate: MustacheTemplate]
        let library: MustacheLibrary
    }

    /// Compiles the templates.
    ///
    /// - Parameters:
    ///   - base: The path of the issuer (`Issuer.path`), the prefix of all links.
    ///   - brand: The branding.
    ///   - table: Returns the texts of a language, and compiles all languages; `nil`, the default, for the built-in
    ///     texts.
    /// - Throws: `TemplateError` for a template that cannot be compiled, or lacks a text.
    init(
        base: String, brand: Brand = Brand(), texts table: ((PageLanguage) -> TextTable)? = nil
    ) throws(TemplateError) {
        self.base = base
        self.brand = brand
        if let table {
            var compiled: [PageLanguage: Templates] = [:]
            for language in PageLanguage.allCases { compiled[language] = try Self.compile(in: table(language)) }
            templates = compiled
        } else {
            _ = try Self.builtIn(.english).get()
            templates = nil
        }
        stylesheet = .stylesheet(of: brand)
        logo = brand.logo.map { .logo($0) }
    }

    /// The files that pages load.
    var assets: [PageAsset] {
        [stylesheet, .passkeyScript, .delayScript, .waitScript, .linkScript, .timesScript, .pushScript, .pushWorker]
            + (logo.map { [$0] } ?? [])
    }

    /// The HTML document of a page in a language, with escaped values.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - language: The language; English by default.
    ///   - zone: The time zone of the reader; `nil`, the default, for an unknown one.
    ///   - current: The address of the page, for the return after a sign-out; `nil`, the default, for none.
    func html<Shown: Page>(
        _ page: Shown, in language: PageLanguage = .english, at zone: TimeZone? = nil, on current: String? = nil
    ) -> String {
        let known = templates.map { $0[language] } ?? (try? Self.builtIn(language).get())
        guard let compiled = known, let template = compiled.templates[Shown.template] else {
            preconditionFailure("a test compiles all templates in all languages")
        }
        let icon = brand.accent
        let frame = Frame(
            language: compiled.table.tag,
            direction: compiled.table.direction.rawValue,
            base: base,
            service: brand.name,
            stylesheet: stylesheet.digest,
            script: PageAsset.passkeyScript.digest,
            delayScript: PageAsset.delayScript.digest,
            waitScript: PageAsset.waitScript.digest,
            linkScript: PageAsset.linkScript.digest,
            pushScript: PageAsset.pushScript.digest,
            timesScript: Self.showsBrowserTimes(on: page, at: zone) ? PageAsset.timesScript.digest : nil,
            logo: logo?.digest,
            iconFill: icon.map { String($0.text.dropFirst()) } ?? "0d5c63",
            iconInk: icon.map { String($0.ink.text.dropFirst()) } ?? "fff",
            hasPolicies: brand.terms != nil || brand.privacy != nil,
            termsAddress: brand.terms?.text,
            privacyAddress: brand.privacy?.text,
            afterSignOut: current,
            title: page.title,
            page: PageMembers(of: page)
        )
        var table = compiled.table
        table.zone = zone
        return TextTable.$rendering.withValue(table) {
            template.render(PageMembers(of: frame), library: compiled.library)
        }
    }

    /// Whether a script shows the times of a page in the zone of the browser.
    static func showsBrowserTimes<Shown: Page>(on page: Shown, at zone: TimeZone?) -> Bool {
        Shown.showsTimes && zone == nil
    }

    /// The templates with the built-in texts, shared by all servers of the process.
    private static func builtIn(_ language: PageLanguage) -> Result<Templates, TemplateError> {
        switch language {
        case .english: english
        case .german: german
        case .french: french
        case .spanish: spanish
        }
    }

    // Each is compiled once, at its first use.
    private static let english = compiled(.english)
    private static let german = compiled(.german)
    private static let french = compiled(.french)
    private static let spanish = compiled(.spanish)

    private static func compiled(_ language: PageLanguage) -> Result<Templates, TemplateError> {
        Result { () throws(TemplateError) in try compile(in: TextTable.of(language)) }
    }

    private static func compile(in table: TextTable) throws(TemplateError) -> Templates {
        let texts = TemplateTexts(table: table)
        var templates: [PageTemplate: MustacheTemplate] = [:]
        for template in PageTemplate.allCases {
            let name = template.rawValue
            templates[template] = try compile(texts.filled(template.text, named: name), named: name)
        }
        return Templates(
            table: table,
            templates: templates,
            library: MustacheLibrary(
                templates: Dictionary(uniqueKeysWithValues: templates.map { ($0.rawValue, $1) })
            )
        )
    }

    /// Compiles a template; `HTMLEscaping` escapes every value in it.
    static func compile(_ text: String, named name: String) throws(TemplateError) -> MustacheTemplate {
        MustacheContentTypes.register(HTMLEscaping(), named: HTMLEscaping.name)
        do {
            return try MustacheTemplate(string: "{{% CONTENT_TYPE:\(HTMLEscaping.name)}}\(text)")
        } catch {
            throw TemplateError(name: name, reason: String(describing: error))
        }
    }
}

/// A template that cannot be compiled, a bug of the program.
struct TemplateError: Error, CustomStringConvertible {
    let name: String
    let reason: String

    var description: String { "The page template \(name) is broken: \(reason)" }
}

/// The data of the layout in addition to the page.
private struct Frame {
    let language: String
    let direction: String
    let base: String
    let service: String
    let stylesheet: String
    let script: String
    let delayScript: String
    let waitScript: String
    let linkScript: String
    let pushScript: String
    let timesScript: String?
    let logo: String?
    let iconFill: String
    let iconInk: String
    let hasPolicies: Bool
    let termsAddress: String?
    let privacyAddress: String?
    let afterSignOut: String?
    let title: LocalizedText
    let page: PageMembers
}

/// The stored members of a value by their names, read once: a template looks them up many times.
private struct PageMembers: MustacheParent {
    private var values: [String: Any] = [:]

    init(of value: Any) {
        for member in Mirror(reflecting: value).children {
            guard let name = member.label else { continue }
            let content = Mirror(reflecting: member.value)
            values[name] = content.displayStyle == .optional ? content.children.first?.value : member.value
        }
    }

    func child(named name: String) -> Any? { values[name] }
}
