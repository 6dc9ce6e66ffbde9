import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The page that ends a session for an app", .server(withApps: true))
struct EndSessionPageTests {
    let server = TestServer.current

    private func query(_ parameters: Form) -> String { "end_session?\(parameters.encoded)" }

    @Test func `asks first, signs out, and goes back to a registered address`() async throws {
        let anna = try await server.browser(of: .anna)
        let code = try await anna.code(for: .shop)
        let tokens = try await server.redeem(code, as: .shop).json(TokenResponse.self)
        let hint = try #require(tokens.idToken).revealed
        // A hint says who asks, however old it is.
        server.clock.advance(by: .seconds(7200))
        let asked: Form = [
            "id_token_hint": hint, "post_logout_redirect_uri": "https://shop.example/bye", "state": "a b",
        ]
        let page = try await anna.get(query(asked))
        #expect(page.status == .ok)
        #expect(try await anna.get("account").status == .ok)
        let done = try await anna.post(
            "end_session/decision",
            ["session": page.unescapedField("session")]
        )
        #expect(done.location == "https://shop.example/bye?state=a+b")
        #expect(try await anna.get("account").location?.hasPrefix("/login?") == true)
        // Nobody is signed in: there is nothing to ask.
        #expect(try await anna.get(query(asked)).location == "https://shop.example/bye?state=a+b")
        #expect(try await anna.get("end_session").location == "/login")
    }

    @Test(arguments: [
        ["client_id": "shop", "post_logout_redirect_uri": "https://evil.example/"],
        ["client_id": "phone", "post_logout_redirect_uri": "https://shop.example/bye"],
        ["post_logout_redirect_uri": "https://shop.example/bye"],
        ["id_token_hint": "a.b.c", "post_logout_redirect_uri": "https://shop.example/bye"],
    ])
    func `leads to no address that is not registered`(parameters: [String: String]) async throws {
        let anna = try await server.browser(of: .anna)
        var form = Form()
        for (name, value) in parameters { form[name] = value }
        for browser in [anna, try await server.newBrowser()] {
            let answer = try await browser.get(query(form))
            #expect(answer.status == .badRequest)
            #expect(answer.text.contains("You are still"))
            #expect(answer.headers[.location] == nil)
        }
        let posted = try await anna.post("end_session/decision", ["session": form.encoded])
        #expect(posted.status == .badRequest)
        #expect(try await anna.get("account").status == .ok)
    }

    @Test func `takes a hint whose key signs no more, until nobody can be signed in by it`() async throws {
        let code = try await server.browser(of: .anna).code(for: .shop)
        let hint = try #require(try await server.redeem(code, as: .shop).json(TokenResponse.self).idToken).revealed
        let asked = query(["id_token_hint": hint, "post_logout_redirect_uri": "https://shop.example/bye"])
        let published = try await server.keys().count
        for days in [90, 1, 2] { try await server.rotate(after: .seconds(days * 86_400)) }
        #expect(try await server.keys().count == published)
        #expect(try await server.newBrowser().get(asked).location == "https://shop.example/bye")
        try await server.rotate(after: .seconds(KeyRotation.hints))
        #expect(try await server.newBrowser().get(asked).status == .badRequest)
    }

    @Test func `takes no token that another server signed, and none that is no ID token`() async throws {
        let anna = try await server.browser(of: .anna)
        let code = try await anna.code(for: .shop)
        let hint = try #require(try await server.redeem(code, as: .shop).json(TokenResponse.self).idToken).revealed
        let parts = hint.split(separator: ".")
        let forged = "\(parts[0]).\(parts[1]).\(String(parts[2].reversed()))"
        #expect(try await anna.get(query(["id_token_hint": forged])).status == .badRequest)
        #expect(try await anna.get(query(["id_token_hint": hint, "client_id": "phone"])).status == .badRequest)
        #expect(try await anna.get(query(["id_token_hint": hint, "client_id": "shop"])).status == .ok)
    }
}
