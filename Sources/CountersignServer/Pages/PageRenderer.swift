internal import Mustache

/// Lays out pages as HTML.
///
/// Every template is compiled for each language before the first renderer is created, with the texts in it, so a broken one
/// stops the server at its start and not later.
struct PageRenderer: Sendable {
    private let base: String
    private let brand: Brand
    private let stylesheet: PageAsset
    private let logo: PageAsset?
    private let languages: [PageLanguage: Templates]

    /// All templates in one language.
    private struct Templates: Sendable {
        let table: TextTable
        let templates: [PageTemplate: MustacheTemplate]
        let library: MustacheLibrary
    }

    /// Compiles all templates.
    ///
    /// - Parameters:
    ///   - base: the path of the issuer, empty or beginning with a slash (`Issuer.path`); all links begin with it.
    ///   - brand: what people see of the operator.
    ///   - table: returns the texts of a language; those that are built in by default.
    /// - Throws: `BrokenTemplate` for the first that cannot be compiled, or that names a text that a language lacks.
    init(
        base: String,
        brand: Brand = Brand(),
        texts table: ((PageLanguage) -> TextTable)? = nil
    ) throws(BrokenTemplate) {
        self.base = base
        self.brand = brand
        languages = try (table.map { Self.compiled($0) } ?? Self.builtIn).get()
        stylesheet = .stylesheet(of: brand)
        logo = brand.logo.map { .logo($0) }
    }

    /// The files that pages load.
    var assets: [PageAsset] { [stylesheet, .passkeyScript] + (logo.map { [$0] } ?? []) }

    /// The page as a whole HTML document in a language; every value in it is escaped.
    func html<Shown: Page>(_ page: Shown, in language: PageLanguage = .english) -> String {
        guard let compiled = languages[language], let template = compiled.templates[Shown.template] else {
            preconditionFailure("all templates are compiled when the renderer is made")
        }
        let icon = brand.accent
        let frame = Frame(
            language: compiled.table.tag,
            direction: compiled.table.direction.rawValue,
            base: base,
            service: brand.name,
            stylesheet: stylesheet.digest,
            script: PageAsset.passkeyScript.digest,
            logo: logo?.digest,
            iconFill: icon.map { String($0.text.dropFirst()) } ?? "0d5c63",
            iconInk: icon.map { String($0.ink.text.dropFirst()) } ?? "fff",
            hasPolicies: brand.terms != nil || brand.privacy != nil,
            termsAddress: brand.terms?.text,
            privacyAddress: brand.privacy?.text,
            title: page.title,
            page: page
        )
        return TextTable.$rendering.withValue(compiled.table) {
            template.render(frame, library: compiled.library)
        }
    }

    /// The templates with the texts that are built in; they are the same for every server of the process.
    private static let builtIn = compiled { TextTable($0) }

    private static func compiled(
        _ table: (PageLanguage) -> TextTable
    ) -> Result<[PageLanguage: Templates], BrokenTemplate> {
        var languages: [PageLanguage: Templates] = [:]
        do throws(BrokenTemplate) {
            for language in PageLanguage.allCases { languages[language] = try compile(in: table(language)) }
            return .success(languages)
        } catch {
            return .failure(error)
        }
    }

    private static func compile(in table: TextTable) throws(BrokenTemplate) -> Templates {
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

    /// Compiles a template in which every value is escaped by `HTMLEscaping`.
    static func compile(_ text: String, named name: String) throws(BrokenTemplate) -> MustacheTemplate {
        MustacheContentTypes.register(HTMLEscaping(), named: HTMLEscaping.name)
        do {
            return try MustacheTemplate(string: "{{% CONTENT_TYPE:\(HTMLEscaping.name)}}\(text)")
        } catch {
            throw BrokenTemplate(name: name, reason: String(describing: error))
        }
    }
}

/// A template that cannot be compiled, which is a fault of the program.
struct BrokenTemplate: Error, CustomStringConvertible {
    let name: String
    let reason: String

    var description: String { "The page template \(name) is broken: \(reason)" }
}

/// What the layout needs in addition to the page; templates find it by name.
private struct Frame<Shown: Page>: Sendable {
    let language: String
    let direction: String
    let base: String
    let service: String
    let stylesheet: String
    let script: String
    let logo: String?
    let iconFill: String
    let iconInk: String
    let hasPolicies: Bool
    let termsAddress: String?
    let privacyAddress: String?
    let title: LocalizedText
    let page: Shown
}
