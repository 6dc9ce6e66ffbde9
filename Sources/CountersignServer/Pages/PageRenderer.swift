internal import Mustache

/// Lays out pages as HTML.
///
/// Every template is compiled when the renderer is created, so a broken one stops the server at its start and not
/// later.
struct PageRenderer: Sendable {
    private let base: String
    private let service: String
    private let templates: [PageTemplate: MustacheTemplate]
    private let library: MustacheLibrary

    /// Compiles all templates.
    ///
    /// - Parameters:
    ///   - base: the path of the issuer, empty or beginning with a slash (`Issuer.path`); all links begin with it.
    ///   - service: the name of the server on its pages.
    /// - Throws: `BrokenTemplate` for the first that cannot be compiled.
    init(base: String, service: String = "Countersign") throws(BrokenTemplate) {
        var templates: [PageTemplate: MustacheTemplate] = [:]
        for template in PageTemplate.allCases {
            templates[template] = try Self.compile(template.text, named: template.rawValue)
        }
        self.base = base
        self.service = service
        self.templates = templates
        library = MustacheLibrary(
            templates: Dictionary(uniqueKeysWithValues: templates.map { ($0.rawValue, $1) })
        )
    }

    /// The page as a whole HTML document; every value in it is escaped.
    func html<Shown: Page>(_ page: Shown) -> String {
        guard let template = templates[Shown.template] else {
            preconditionFailure("all templates are compiled when the renderer is made")
        }
        let frame = Frame(
            base: base,
            service: service,
            stylesheet: PageAsset.stylesheet.digest,
            script: PageAsset.passkeyScript.digest,
            title: page.title,
            page: page
        )
        return template.render(frame, library: library)
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
    let base: String
    let service: String
    let stylesheet: String
    let script: String
    let title: String
    let page: Shown
}
