import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// The page that follows an expired form, or a sign-out to sign in as another person.
@Suite("A person whose form has expired, or who signs out", .server)
struct GoingOnTests {
    let server = TestServer.current
    private static let anna: Form = ["username": "anna", "password": TestPerson.anna.password.revealed]

    /// Two tabs of one browser show the sign-in page; the person signs in in the first.
    ///
    /// - Returns: The browser as the second tab has it: with the new cookie, and the form of before.
    private func secondTab(at server: TestServer) async throws -> TestBrowser {
        let tabs = try await server.newBrowser()
        let cookie = try #require(try await tabs.post("login", Self.anna).givenCookie)
        return TestBrowser(server: server, cookie: cookie, formToken: tabs.formToken)
    }

    @Test(arguments: ["login", "login/code", "login/passkey"])
    func `goes on in a second tab with its code or app, having signed in in the first`(form: String) async throws {
        for issuer in ["http://localhost:8080", "https://id.example/a"] {
            try await TestServer.open(issuer: issuer) { server in
                let second = try await secondTab(at: server)
                for target in ["/activate?user_code=WDJB-MJHT", "/authorize?client_id=tv&state=x", "/account"] {
                    let answer = try await second.post(form, Self.anna.with(["return_to": target]))
                    #expect(answer.location == server.path(String(target.dropFirst())))
                    #expect(answer.headers[.setCookie] == nil)
                }
            }
        }
    }

    @Test func `goes on to pages of ours only, and not when another site sends the form`() async throws {
        let second = try await secondTab(at: server)
        let sessions = try await server.rows(of: "browser_sessions")
        for target in LoginPageTests.hostile {
            let form: Form = ["username": "bert", "password": TestPerson.bert.password.revealed]
            let answer = try await second.post("login", form.with(["return_to": target]))
            #expect(answer.location == "/account", "\(target)")
        }
        for site in ["cross-site", "same-site"] {
            let form = try Self.anna.with(["return_to": "/activate?user_code=WDJB-MJHT"])
            let answer = try await second.post("login", form, headers: [.secFetchSite: site])
            #expect(answer.status == .forbidden && answer.headers[.location] == nil)
            #expect(!answer.text.contains("WDJB"))
        }
        #expect(try await server.rows(of: "browser_sessions") == sessions)
        #expect(try await second.get("account").text.contains("Anna Ek"))
    }

    @Test(arguments: ["activate", "activate/decision"])
    func `finds the code again behind a form that has expired`(form: String) async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        let before = try await server.dump()
        let late: Form = [
            "form_token": "late", "user_code": codes.userCode.rawValue, "decision": "approve",
            "redirect_uri": "app:/done",
        ]
        let page = try await anna.post(form, late)
        #expect(page.status == .forbidden && page.text.contains("This form has expired"))
        let link = "/activate?redirect_uri=app%3A%2Fdone&amp;user_code=\(codes.userCode)"
        let other = "/activate?user_code=\(codes.userCode)&amp;redirect_uri=app%3A%2Fdone"
        #expect(page.text.contains(link) || page.text.contains(other))
        let forged = try await anna.post(form, late, headers: [.secFetchSite: "cross-site"])
        #expect(forged.status == .forbidden && !forged.text.contains(codes.userCode.description))
        #expect(try await server.dump() == before)
    }

    @Test(.server(withApps: true)) func `finds the app again behind a consent that has expired`() async throws {
        let anna = try await server.browser(of: .anna)
        let asked = try #require(try await anna.authorize(TestApps.shop.request).unescapedField("authorization"))
        let page = try await anna.post(
            "authorize/decision", ["form_token": "late", "authorization": asked, "decision": "approve"])
        #expect(page.status == .forbidden)
        let link = try #require(
            Markup(page.text).all("a").compactMap { $0.attributes["href"] }.first {
                $0.hasPrefix("/authorize?")
            })
        #expect(try await anna.get(String(link.replacing("&amp;", with: "&").dropFirst())).status == .ok)
    }

    @Test(.server(issuer: "https://id.example/a"))
    func `keeps the code, saying that they are not the one who is signed in`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        let page = try await anna.get("activate/confirm?user_code=\(codes.userCode)")
        let next = try #require(page.unescapedField("next"))
        let out = try await anna.confirm("logout", ["next": next])
        let confirm = try #require(out.location)
        #expect(confirm == "/a/activate/confirm?user_code=\(codes.userCode)")
        let login = try #require(try await server.get(confirm).location)
        let target = try #require(try await server.get(login).unescapedField("return_to"))

        // Another person signs in, and decides on the same code.
        let bert: Form = ["username": "bert", "password": TestPerson.bert.password.revealed]
        let fresh = try await server.newBrowser()
        let signedIn = try await fresh.post("login", bert.with(["return_to": target]))
        let cookie = try #require(signedIn.givenCookie)
        let entrance = try await server.get(try #require(signedIn.location), headers: [.cookie: cookie])
        #expect(entrance.location == "/a/activate?user_code=\(codes.userCode)")
    }

    @Test(.server(withApps: true)) func `keeps the app, saying so on the page that asks for consent`() async throws {
        let anna = try await server.browser(of: .anna)
        let page = try await anna.authorize(TestApps.shop.request)
        let out = try await anna.confirm("logout", ["next": page.unescapedField("next")])
        let again = try #require(out.location)
        #expect(again.hasPrefix("/authorize?"))
        #expect(try await server.get(again).location?.hasPrefix("/login?") == true)
    }

    @Test func `signing out, goes on to no page but ours`() async throws {
        for target in LoginPageTests.hostile {
            let anna = try await server.browser(of: .anna)
            #expect(try await anna.confirm("logout", ["next": target]).location == "/login", "\(target)")
        }
    }

    // MARK: Cookies

    @Test(arguments: ["login", "activate", "activate/decision", "logout"])
    func `is told that cookies are needed when the browser has none`(form: String) async throws {
        let page = try await server.get("/login")
        let fields: Form = [
            "form_token": page.field("form_token"), "username": "anna",
            "password": TestPerson.anna.password.revealed, "user_code": "WDJB-MJHT", "decision": "approve",
        ]
        let answer = try await server.post("/\(form)", fields, headers: [.origin: "http://localhost:8080"])
        let probe = try #require(answer.location)
        #expect(probe.hasPrefix("/login?"))
        let told = try await server.get(probe)
        #expect(told.status == .forbidden && told.text.contains("Cookies are needed"))
        #expect(!told.text.contains("open too long"))

        // A browser that keeps cookies, and had lost this one, goes on.
        let cookie = try #require(answer.givenCookie)
        let target = try await server.get(probe, headers: [.cookie: cookie]).location
        #expect(target == "/activate?user_code=WDJB-MJHT")
        #expect(try await server.rows(of: "browser_sessions") == 0)
    }

    @Test func `loses no session to a form that another site sends without its cookie`() async throws {
        let sites: [HTTPFields] = [[.secFetchSite: "cross-site"], [.origin: "https://evil.example"], [:]]
        for headers in sites {
            let answer = try await server.post("/login", Self.anna, headers: headers)
            #expect(answer.status == .forbidden)
            #expect(answer.headers[.setCookie] == nil && answer.headers[.location] == nil)
        }
    }

    // MARK: Other providers, and apps that sign out

    @Test func `comes back from a provider to where they were going, having signed in in another tab`() async throws {
        try await TestProvider.open { provider in
            try await provider.connect()
            let tabs = try await provider.server.newBrowser()
            let back = try provider.arrival(from: try await provider.departure(of: tabs))
            let cookie = try #require(try await tabs.post("login", Self.anna).givenCookie)
            let signedIn = TestBrowser(server: provider.server, cookie: cookie, formToken: tabs.formToken)
            let answer = try await provider.arrive(signedIn, at: back)
            #expect(answer.location == "/activate" && answer.headers[.setCookie] == nil)
            // A browser where nobody is signed in is told so, and is not signed in by this.
            let stranger = try await provider.arrive(try await provider.server.newBrowser(), at: back)
            #expect(stranger.isProblem(.notStarted))
        }
    }

    @Test(.server(withApps: true))
    func `is signed out for an app that posts its ID token, which stands in no address`() async throws {
        let anna = try await server.browser(of: .anna)
        let tokens = try await server.redeem(try await anna.code(for: .shop), as: .shop).json(TokenResponse.self)
        let hint = try #require(tokens.idToken).revealed
        let asked: Form = [
            "id_token_hint": hint, "post_logout_redirect_uri": "https://shop.example/bye", "state": "a b",
            "logout_hint": "anna@example.org",
        ]
        let posted = try await server.post("/end_session", asked, headers: [.origin: "https://shop.example"])
        let address = try #require(posted.location)
        #expect(!address.contains(hint) && !address.contains("eyJ") && !address.contains("anna"))
        let page = try await anna.get(String(address.dropFirst()))
        #expect(page.status == .ok && !page.text.contains(hint))
        let done = try await anna.post(
            "end_session/decision", ["session": page.unescapedField("session")])
        #expect(done.location == "https://shop.example/bye?state=a+b")

        // A token that is not ours, and an address of another client, are refused before anything is passed on.
        for (name, value) in [("id_token_hint", "a.b.c"), ("client_id", "phone")] {
            var wrong = asked
            wrong[name] = value
            let refused = try await server.post("/end_session", wrong)
            #expect(refused.status == .badRequest && refused.headers[.location] == nil)
        }
    }

    @Test(.server(withApps: true))
    func `saying on the page of an app that signs them out that they are another, goes back to the app`()
        async throws
    {
        let anna = try await server.browser(of: .anna)
        let page = try await anna.get(
            "end_session?client_id=shop&post_logout_redirect_uri=https%3A%2F%2Fshop.example%2Fbye")
        let out = try await anna.confirm("logout", ["next": page.unescapedField("next")])
        let back = try #require(out.location)
        #expect(try await server.get(back).location == "https://shop.example/bye")
    }
}
