import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("Signing in at a browser", .server)
struct LoginPageTests {
    let server = TestServer.current

    @Test(arguments: ["activate", "activate?user_code=WDJB-MJHT", "activate/confirm?user_code=WDJB-MJHT", "account"])
    func `comes before a page, and leads back to it with the code kept`(page: String) async throws {
        for issuer in ["http://localhost:8080", "https://id.example/a"] {
            try await TestServer.open(issuer: issuer) { server in
                let sent = try await server.get(server.path(page))
                let login = try await server.get(try #require(sent.location))
                let target = try #require(login.field("return_to"))
                #expect(target == "/\(page)")

                let stranger = try await server.newBrowser()
                let form: Form = ["username": "anna", "password": TestPerson.anna.password.revealed]
                let answer = try await stranger.post("login", form.with(["return_to": target]))
                #expect(answer.location == server.path(page))
            }
        }
    }

    static let hostile = [
        "//evil.example", "https://evil.example", "http://localhost:8080.evil.example/account", "/\\evil.example",
        "\\\\evil.example", "javascript:alert(1)", "%2f%2fevil.example", "/%2f/evil.example", "/%5cevil.example",
        "/account\n//evil.example", "/account\r\nSet-Cookie: a=b",
        "/a//evil.example", " //evil.example", "/ /evil.example",
        "/account/../login", "//account", "/account//evil.example", "///evil.example", "/activate/decision",
        "/account@evil.example", "account", "@evil.example", ".evil.example", "", "?", "#", "/", "/account%0d%0aX: y",
        "data:text/html,x", "/activate/result?request=x", "/login", "/logout", "/account/undo",
        "/account?" + String(repeating: "a", count: 2100), "/account?é", "/\u{2215}/evil.example",
    ]

    @Test(arguments: ["http://localhost:8080", "https://id.example/a"])
    func `never leads off the site`(issuer: String) async throws {
        try await TestServer.open(issuer: issuer) { server in
            let stranger = try await server.newBrowser()
            let anna = try await server.browser(of: .anna)
            for target in Self.hostile {
                let form: Form = ["username": "anna", "password": TestPerson.anna.password.revealed]
                let answer = try await stranger.post("login", form.with(["return_to": target]))
                #expect(answer.location == server.path("account"), "\(target)")

                var query = Form()
                query["return_to"] = target
                let login = try await server.get("\(server.path("login"))?\(query.encoded)")
                #expect(login.field("return_to") == "/account", "\(target)")
                let sent = try await anna.get("login?\(query.encoded)").location
                #expect(sent == server.path("account"), "\(target)")
            }
        }
    }

    @Test(arguments: [
        ("http://localhost:8080", "countersign-8080=", "; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200"),
        ("http://localhost:8080/a", "countersign-8080=", "; Path=/a; HttpOnly; SameSite=Lax; Max-Age=43200"),
        ("https://id.example", "__Host-countersign=", "; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=43200"),
    ])
    func `gives a cookie that stays with the site`(issuer: String, name: String, attributes: String) async throws {
        try await TestServer.open(issuer: issuer) { server in
            let stranger = try await server.newBrowser()
            #expect(stranger.cookie.hasPrefix(name))
            let form: Form = ["username": "anna", "password": TestPerson.anna.password.revealed]
            let header = try #require(try await stranger.post("login", form).headers[values: .setCookie].first)
            #expect(header.hasPrefix(name) && header.hasSuffix(attributes))
            let value = header.dropFirst(name.count).dropLast(attributes.count)
            #expect(URLSafeText.decode(value)?.count == 32)
        }
    }

    @Test func `takes the right password as soon as the person is unlocked, however often it was typed before`()
        async throws
    {
        let browser = try await server.newBrowser()
        let form: Form = ["username": "anna", "password": TestPerson.anna.password.revealed]
        try await server.lock(.anna)
        for _ in 0..<12 {
            let answer = try await browser.post("login", form)
            #expect(answer.status == .forbidden && answer.text.contains("This account is locked"))
        }
        try await server.lock(.anna, .active)
        #expect(try await browser.post("login", form).location == "/account")
    }

    @Test(arguments: ["anna+tv@example.org", "anna ek", "a%b&c"])
    func `begins with the name by which an app called the person`(name: String) async throws {
        var query = Form()
        query["username"] = name
        let page = try await server.get("/login?\(query.encoded)")
        #expect(page.unescapedField("username") == name)
    }

    @Test func `tells nobody whether the account exists`() async throws {
        let browser = try await server.newBrowser()
        var pages: Set<String> = []
        for username in ["anna", "nobody", "", "no such\u{7}name", String(repeating: "x", count: 200)] {
            for password in ["wrong", ""] {
                let answer = try await browser.post("login", ["username": username, "password": password])
                #expect(answer.status == .forbidden)
                #expect(answer.headers[.setCookie] == nil)
                // The challenge for passkeys is another one each time.
                let text = answer.text.replacing(#/data-options="[^"]*"/#, with: "")
                pages.insert(text.replacing(#/(name="username" value=)"[^"]*"/#) { String($0.output.1) })
            }
        }
        #expect(pages.count == 1)
        #expect(try await server.rows(of: "browser_sessions") == 0)
    }

    @Test(arguments: ["anna@example.org", " Anna@EXAMPLE.org ", "\u{202A}anna@example.org\u{202C}"])
    func `takes an e-mail address that one person has`(typed: String) async throws {
        let browser = try await server.newBrowser()
        let form: Form = ["username": typed, "password": TestPerson.anna.password.revealed]
        #expect(try await browser.post("login", form).location == "/account")
        let wrong: Form = ["username": typed, "password": TestPerson.bert.password.revealed]
        #expect(try await server.newBrowser().post("login", wrong).status == .forbidden)
    }

    @Test func `takes no e-mail address that several people have, and a user name before an address`() async throws {
        let form: Form = ["username": "anna@example.org", "password": TestPerson.anna.password.revealed]
        try await server.change(.bert) { $0.changeEmail(to: "ANNA@example.org", isVerified: true) }
        let browser = try await server.newBrowser()
        let ambiguous = try await browser.post("login", form)
        let nobody: Form = [
            "username": "nobody@example.org", "password": TestPerson.anna.password.revealed,
        ]
        let unknown = try await browser.post("login", nobody)
        #expect(ambiguous.status == .forbidden && unknown.status == .forbidden)
        let text = { (answer: TestResponse) in
            answer.text.replacing(#/data-options="[^"]*"/#, with: "")
                .replacing(#/(name="username" value=)"[^"]*"/#) { String($0.output.1) }
        }
        #expect(text(ambiguous) == text(unknown))

        try await server.change { repositories in
            let bert = try #require(try repositories.people.find(TestPerson.bert.subject))
            _ = try repositories.people.remove(bert.subject)
            let named = Person(
                subject: bert.subject, username: Username("anna@example.org"), name: bert.name, email: bert.email,
                isEmailVerified: true, password: bert.password, created: bert.created)
            try repositories.people.insert(named)
        }
        #expect(try await browser.post("login", form).status == .forbidden)
        let own: Form = ["username": "anna@example.org", "password": TestPerson.bert.password.revealed]
        #expect(try await browser.post("login", own).location == "/account")
    }

    @Test(arguments: ["ﬁnn", "ａｎｎ", "①"])
    func `takes a user name that was accepted before names followed the standard`(former: String) async throws {
        try await server.change { repositories in
            let bert = try #require(try repositories.people.find(TestPerson.bert.subject))
            _ = try repositories.people.remove(bert.subject)
            let named = Person(
                subject: bert.subject, username: Username(former), name: bert.name, password: bert.password,
                created: bert.created)
            try repositories.people.insert(named)
        }
        let form: Form = ["username": former, "password": TestPerson.bert.password.revealed]
        #expect(try await server.newBrowser().post("login", form).location == "/account")
    }

    @Test func `takes a user name in any case, with spaces around`() async throws {
        let browser = try await server.newBrowser()
        let form: Form = ["username": " ANNA ", "password": TestPerson.anna.password.revealed]
        #expect(try await browser.post("login", form).location == "/account")
    }

    @Test func `says that an account is locked only to who knows its password`() async throws {
        try await server.lock(.anna)
        let browser = try await server.newBrowser()
        let right: Form = ["username": "anna", "password": TestPerson.anna.password.revealed]
        let answer = try await browser.post("login", right)
        #expect(answer.status == .forbidden)
        #expect(answer.text.contains("locked"))
        #expect(answer.headers[.setCookie] == nil)
        let wrong = try await browser.post("login", ["username": "anna", "password": "wrong"])
        #expect(!wrong.text.contains("locked"))
        #expect(try await server.rows(of: "browser_sessions") == 0)
    }

    @Test func `gives a new cookie, and makes the old one and its forms worthless`() async throws {
        let stranger = try await server.newBrowser()
        let form: Form = ["username": "anna", "password": TestPerson.anna.password.revealed]
        let answer = try await stranger.post("login", form)
        let cookie = try #require(answer.givenCookie)
        #expect(cookie != stranger.cookie)
        #expect(try await stranger.get("account").location?.hasPrefix("/login?") == true)

        let mixed = TestBrowser(server: server, cookie: cookie, formToken: stranger.formToken)
        #expect(try await mixed.post("logout", [:]).status == .forbidden)
    }

    @Test func `again replaces the session of the browser`() async throws {
        let anna = try await server.browser(of: .anna)
        let form: Form = ["username": "bert", "password": TestPerson.bert.password.revealed]
        let answer = try await anna.post("login", form)
        #expect(answer.location == "/account")
        #expect(try await server.rows(of: "browser_sessions") == 1)
        #expect(try await anna.get("account").location?.hasPrefix("/login?") == true)
    }

    @Test(.server { $0.browserSessionLifetime = 100 })
    func `lasts as long as the server says`() async throws {
        let anna = try await server.browser(of: .anna)
        server.clock.advance(by: .seconds(99))
        #expect(try await anna.get("account").status == .ok)
        server.clock.advance(by: .seconds(1))
        #expect(try await anna.get("account").status == .seeOther)
        #expect(try await anna.post("activate", ["user_code": "WDJB-MJHT"]).status == .forbidden)
    }

    @Test func `ends with signing out`() async throws {
        let anna = try await server.browser(of: .anna)
        let other = try await server.browser(of: .anna)
        let answer = try await anna.confirm("logout")
        #expect(answer.location == "/login")
        #expect(answer.headers[.setCookie]?.contains("Max-Age=0") == true)
        #expect(try await anna.get("account").status == .seeOther)
        #expect(try await other.get("account").status == .ok)
    }

    @Test func `is asked of nobody who has done it`() async throws {
        let anna = try await server.browser(of: .anna)
        #expect(try await anna.get("login").location == "/account")
        #expect(try await anna.get("login?return_to=%2Factivate").location == "/activate")
    }
}
