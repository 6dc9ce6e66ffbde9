import Countersign
import CountersignResource
import CountersignWire
import Foundation
import Hummingbird
import Testing

@Suite("The page about protecting a service")
struct ProtectingAServiceTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(of path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Each line without what is before it and after it.
    private static func plain(_ text: some StringProtocol) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    @Test func `shows code that compiles: the example's, and this file's`() throws {
        let page = try Self.text(of: "Documentation/ProtectingAService.md")
        let blocks = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        let example = try Self.text(of: "Examples/RadioServices/RadioServices.swift")
        let here = Self.plain(try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8))
        #expect(blocks.count == 8)
        #expect(blocks.contains { $0 == example })
        for block in blocks where block != example && !block.hasPrefix(".product") {
            #expect(here.contains(Self.plain(block)), "this file does not hold: \(block)")
        }
    }

    @Test func `stands beside examples that can be read in one go`() throws {
        let examples = try FileManager.default.contentsOfDirectory(atPath: "\(Self.root.path)/Examples")
        #expect(examples.contains("RadioServices"))
        for name in examples {
            let lines = try Self.text(of: "Examples/\(name)/\(name).swift").split(separator: "\n")
            #expect(lines.count < 150)
        }
    }

    @Test func `shows a guard that a router takes`() throws {
        _ = try router(secret: "secret").buildResponder()
    }

    private func router(secret: String) throws -> Router<BasicResourceRequestContext> {
        let router = Router(context: BasicResourceRequestContext.self)
        let introspection = IntrospectionChecker(
            at: try Endpoint("https://id.example.com/introspect"),
            as: ClientID("radio-service"),
            secret: ClientSecret(revealing: secret),
            audience: ResourceName("https://radio.example.com")
        )
        let signatures = SignedTokenChecker(
            issuer: IssuerName("https://id.example.com"),
            keysAt: try Endpoint("https://id.example.com/jwks"),
            audience: ResourceName("https://radio.example.com")
        )
        let guarded = ResourceGuard<BasicResourceRequestContext>(
            checking: introspection,
            challenge: .bearer(realm: "radio"),
            clock: .system
        )
        router.group("tags").add(middleware: guarded.requiring(Scope([ScopeWord("tags.read")]))).get { _, context in
            "Tags of \(try context.requireToken().person?.rawValue ?? "nobody")"
        }
        let proving = guarded.acceptingProofs(at: WebOrigin("https://radio.example.com"))
        let demanding = guarded.acceptingProofs(
            at: WebOrigin("https://radio.example.com"),
            requiring: DPoPNonces(drawingFrom: .system)
        )
        router.group("bound").add(middleware: proving).get { _, _ in "" }
        router.group("fresh").add(middleware: demanding).get { _, _ in "" }
        for checker: any TokenChecker in [signatures, EverybodyIsAnna()] {
            let other = ResourceGuard<BasicResourceRequestContext>(
                checking: checker,
                challenge: .bearer(realm: "radio"),
                clock: .system
            )
            router.group("\(type(of: checker))").add(middleware: other).get { _, _ in "" }
        }
        return router
    }
}

struct EverybodyIsAnna: TokenChecker {
    func check(_ token: AccessToken, at now: Date) async throws(TokenCheckError) -> TokenVerdict {
        .good(TokenFacts(client: ClientID("test"), person: Subject("anna")))
    }
}
