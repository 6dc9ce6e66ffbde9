import CountersignRequester
import CountersignTesting
import Foundation
import Testing

/// The declarations of the example `AppToApp` to systems, and those on its website.
@Suite("The declarations of the example app")
struct AppToAppDeclarationTests {
    private static let scheme = "com.example.apptoapp"
    private static let schemesOfProvider = ["com.example.provider", "com.example.provider.authorize"]
    private static let universal = "https://app.example.com/signed-in"

    @Test func `fit the redirect URIs in its code`() throws {
        let code = try Self.text("../AppToApp.swift")
        #expect(code.contains(#""\#(Self.scheme):/signed-in""#) && code.contains(#""\#(Self.universal)""#))
        #expect(try RedirectURI("\(Self.scheme):/signed-in").kind == .privateUse)
        #expect(try RedirectURI(Self.universal).kind == .claimed)
    }

    @Test(arguments: [("app", [scheme]), ("provider", schemesOfProvider)])
    func `tell a Linux desktop the schemes`(name: String, schemes: [String]) throws {
        let lines = try Self.text("\(name).desktop").split(separator: "\n").map(String.init)
        #expect(lines.first == "[Desktop Entry]")
        let pairs = try lines.dropFirst().map { line in
            let equals = try #require(line.firstIndex(of: "="))
            return (String(line[..<equals]), String(line[line.index(after: equals)...]))
        }
        let entry = try Dictionary(pairs) { _, second in throw Repeated(value: second) }
        #expect(entry["Type"] == "Application")
        #expect(entry["Name"]?.isEmpty == false)
        #expect(entry["Exec"]?.hasSuffix(" %u") == true)
        #expect(entry["MimeType"] == schemes.map { "x-scheme-handler/\($0);" }.joined())
    }

    @Test func `tell Apple's systems the same schemes`() throws {
        let list = try Self.propertyList("Info.plist")
        let types = try #require(list["CFBundleURLTypes"] as? [[String: Any]])
        #expect(types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] } == [Self.scheme])
        #expect(list["LSApplicationQueriesSchemes"] as? [String] == Self.schemesOfProvider)
    }

    @Test(arguments: [("/signed-in", true), ("/signed-in/", false), ("/", false), ("/recipes/1", false)])
    func `give the app one address of its website`(path: String, isTaken: Bool) async throws {
        let claim = try Self.propertyList("AppToApp.entitlements")["com.apple.developer.associated-domains"]
        #expect(claim as? [String] == ["applinks:app.example.com"])
        let file = try await Self.association()
        let details = try #require(file.applinks.details.first)
        #expect(details.appIDs.allSatisfy { $0.contains(/^[A-Z0-9]{10}\.com\.example\.apptoapp$/) })
        // Patterns with wildcards would take more than the redirect URI.
        #expect(details.components.allSatisfy { !$0.path.contains("*") && !$0.path.contains("?") })
        #expect(details.components.contains { $0.path == path } == isTaken)
    }

    private struct Repeated: Error { let value: String }

    /// The file of a website that names the apps for its addresses.
    private struct Association: Decodable {
        struct Links: Decodable { let details: [Details] }
        struct Details: Decodable {
            let appIDs: [String]
            let components: [Component]
        }
        struct Component: Decodable {
            let path: String
            private enum CodingKeys: String, CodingKey { case path = "/" }
        }
        let applinks: Links
    }

    /// The path of the file, as systems look for it.
    private static let placeOfAssociation = "/.well-known/apple-app-site-association"

    /// The file as a system gets it from a website that has it and nothing else.
    private static func association() async throws -> Association {
        let text = try text("apple-app-site-association")
        let site = try await LoopbackListener.start { request in
            guard request.method == .get, request.target == Self.placeOfAssociation else {
                return .reply(.text("not here", status: 404))
            }
            return .reply(.text(text, type: "application/json"))
        }
        let endpoint = try Endpoint(site.base + placeOfAssociation)
        let answer = try await SystemTransport.make().send(endpoint.request(.get), body: [], within: .seconds(600))
        await site.stop()
        // Systems follow no redirect, and read no more than 128 KiB.
        #expect(answer.response.status == .ok && answer.body.count <= 128 * 1024)
        return try answer.decoded(Association.self)
    }

    private static func text(_ name: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appendingPathComponent("Examples/AppToApp/Declarations").appendingPathComponent(name)
        return try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
    }

    private static func propertyList(_ name: String) throws -> [String: Any] {
        let list = try PropertyListSerialization.propertyList(from: Data(text(name).utf8), format: nil)
        return try #require(list as? [String: Any])
    }
}
