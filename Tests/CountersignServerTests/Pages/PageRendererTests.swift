import Foundation
import Testing

@testable import CountersignServer

@Suite("A page renderer")
struct PageRendererTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../../Sources/CountersignServer/Pages/Templates")

    @Test func `compiles every template`() throws {
        _ = try PageRenderer(base: "")
    }

    @Test func `knows every template file, and no other`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
        let names = files.filter { $0.hasSuffix(".mustache") }.map { $0.dropLast(".mustache".count) }
        #expect(Set(names.map(String.init)) == Set(PageTemplate.allCases.map(\.rawValue)))
    }

    @Test(arguments: PageTemplate.allCases)
    func `was built with the text of each file`(template: PageTemplate) throws {
        let file = Self.folder.appending(path: "\(template.rawValue).mustache")
        #expect(try template.text == String(contentsOf: file, encoding: .utf8))
    }

    @Test(arguments: PageTemplate.allCases)
    func `finds each part that a template names`(template: PageTemplate) {
        for opening in ["{{>", "{{<"] {
            for piece in template.text.components(separatedBy: opening).dropFirst() {
                let name = String(piece.prefix { $0 != "}" })
                #expect(PageTemplate(rawValue: name) != nil, "\(template) names \(name)")
            }
        }
    }

    @Test(arguments: PageTemplate.allCases)
    func `has no template that prints a value unescaped`(template: PageTemplate) {
        #expect(!template.text.contains("{{{"))
        #expect(!template.text.contains("{{&"))
        #expect(!template.text.contains("CONTENT_TYPE"))
    }

    @Test func `refuses a broken template by its name`() {
        #expect {
            _ = try PageRenderer.compile("{{#open}}", named: "login")
        } throws: { error in
            (error as? TemplateError)?.name == "login"
        }
    }

    @Test func `puts the issuer's path before every link`() throws {
        for (name, html) in try SamplePages.html(filledWith: "x", base: "/a") {
            for tag in Markup(html).tags {
                guard let target = tag.attributes["href"] ?? tag.attributes["action"] else { continue }
                // The form that carries an answer to an app.
                if name == "posted answer", tag.name == "form" { continue }
                // The way to another provider.
                if name == "on to a provider", target == "x" { continue }
                #expect(target.hasPrefix("/a/") || target.hasPrefix("data:"), "\(target) on \(name)")
            }
        }
    }

    @Test func `links the style sheet by its digest`() throws {
        let renderer = try PageRenderer(base: "/a")
        let digest = PageAsset.stylesheet.digest
        #expect(digest.count == 16)
        #expect(renderer.html(ProblemView(.notFound)).contains("href=\"/a/assets/style.css?v=\(digest)\""))
    }

    @Test func `was built with the text of the style sheet`() throws {
        let file = Self.folder.appending(path: "style.css")
        #expect(try PageAsset.stylesheet.bytes == Array(Data(contentsOf: file)))
    }

    @Test func `calls the service by its name`() throws {
        let html = try PageRenderer(base: "", brand: Brand(name: "Radio & Co")).html(ProblemView(.notFound))
        #expect(html.contains("<title>No such page – Radio &amp; Co</title>"))
    }
}
