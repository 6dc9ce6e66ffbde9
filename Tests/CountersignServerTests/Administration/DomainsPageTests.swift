import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The page of services", .server)
struct DomainsPageTests {
    let server = TestServer.current
    static let shown = [
        "admin/domains", "admin/domains/add", "admin/domains/change?domain=radio.example",
        "admin/domains/renew?domain=radio.example", "admin/domains/remove?domain=radio.example",
    ]
    static let sent = ["admin/domains/add", "admin/domains/change", "admin/domains/renew", "admin/domains/remove"]

    /// In the reference provider every person who is signed in may do all of it.
    @Test func `is for administrators: a person who is none gets 403, and nothing changes`() async throws {
        try await server.addDomains()
        let bert = try await server.browser(of: .bert)
        let before = try await Self.rows(server)
        for path in Self.shown {
            let answer = try await bert.get(path)
            #expect(answer.status == .forbidden)
            #expect(answer.text.contains("For administrators only") && !answer.text.contains("radio.example"))
        }
        for path in Self.sent {
            let answer = try await bert.post(path, Self.complete.with(["domain": "radio.example"], over: "domain"))
            #expect(answer.status == .forbidden && answer.text.contains("For administrators only"))
        }
        #expect(try await !bert.get("account").text.contains("href=\"/admin\""))
        #expect(try await Self.rows(server) == before)
    }

    @Test func `lets nobody in who is not signed in, and leads there afterwards`() async throws {
        try await server.addDomains()
        #expect(try await server.get("/admin").location == "/login?return_to=%2Fadmin")
        for path in Self.shown {
            let answer = try await server.get("/\(path)")
            var query = Form()
            query["return_to"] = "/\(path)"
            #expect(answer.location == "/login?\(query.encoded)")
            #expect(try await server.get("/login?\(query.encoded)").field("return_to") == "/\(path)")
        }
        for path in Self.sent { #expect(try await server.post("/\(path)", Self.complete).status == .forbidden) }
    }

    @Test func `is taken away with the right to it, in the middle of a form too`() async throws {
        try await server.addDomains()
        let anna = try await Self.administrator(server)
        #expect(try await anna.get("account").text.contains("href=\"/admin\""))
        #expect(try await anna.get("admin/domains/add").status == .ok)
        try await server.promote(.anna, to: .user)
        let before = try await Self.rows(server)
        #expect(try await anna.get("admin/domains").status == .forbidden)
        for path in Self.sent { #expect(try await anna.post(path, Self.complete).status == .forbidden) }
        #expect(try await Self.rows(server) == before)
    }

    @Test func `adds a service, and shows its credential once`() async throws {
        let anna = try await Self.administrator(server)
        #expect(try await anna.get("admin/domains").text.contains("There is no service yet."))
        let answer = try await anna.post("admin/domains/add", Self.complete)
        #expect(answer.status == .ok && answer.headers[.cacheControl] == "no-store")
        let credential = try #require(answer.text.firstMatch(of: /class="credential">([^<]+)</)?.1)
        #expect(credential.count == 43)
        #expect(answer.text.contains("http://localhost:8080/cpa/authorized"))

        let digest = ServiceCredential(revealing: String(credential)).digest
        let added = try #require(try await server.store.read { try $0.domains.find(digest) })
        #expect(added.name == Domain("new.example:8002"))
        #expect(added.displayName == "New & <Old>" && added.signOn == .automatic && added.group == "music")
        #expect(added.redirectURIs == ["https://new.example/done", "org.example.new:/done"])
        #expect(added.tokenLifetime == 3600)
        #expect(added.created == server.clock.date)

        let list = try await anna.get("admin/domains").text
        #expect(list.contains("New &amp; &lt;Old&gt;") && list.contains("change?domain=new.example%3A8002"))
        #expect(!list.contains(credential))
        #expect(try !server.databaseBytes().contains(Data(credential.utf8)))
    }

    static let wrong: [(String, String, String)] = [
        ("domain", "https://new.example", "No https:// and no path."),
        ("domain", "new.example/path", "No https:// and no path."),
        ("domain", "", "No https:// and no path."),
        ("domain", "radio.example", "There is a service of this domain already."),
        ("display_name", "", "A name has 1 to 100 characters"),
        ("display_name", " \u{2028} ", "A name has 1 to 100 characters"),
        ("display_name", String(repeating: "é", count: 101), "A name has 1 to 100 characters"),
        ("display_name", "a\u{7}b", "A name has 1 to 100 characters"),
        ("display_name", "Bank\u{202E}knaB", "A name has 1 to 100 characters"),
        ("sign_on", "", "Choose one of"),
        ("sign_on", "always", "Choose one of"),
        ("group", String(repeating: "g", count: 65), "A group’s name has at most 64"),
        ("redirect_uris", "javascript:alert(1)", "javascript:alert(1): The scheme of an app"),
        ("redirect_uris", "https://a.example/\nhttp://evil.test/", "Plain http goes only to this machine"),
        ("redirect_uris", "https://a.example/#x", "no fragment"),
        ("redirect_uris", Array(repeating: "https://a.example/", count: 21).joined(separator: "\n"), "at most 20"),
        ("token_lifetime", "59", "A token lives from 60 to"),
        ("token_lifetime", "1e9", "A token lives from 60 to"),
        ("token_lifetime", "99999999999999999999", "A token lives from 60 to"),
    ]

    @Test(arguments: wrong)
    func `says at the field what does not go, and keeps what was typed`(
        field: String, value: String, message: String
    ) async throws {
        try await server.addDomains()
        let anna = try await Self.administrator(server)
        let before = try await Self.rows(server)
        var form = Self.complete
        form[field] = value
        let answer = try await anna.post("admin/domains/add", form)
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("Nothing was saved."))
        #expect(answer.text.contains(HTMLEscaping().escapeText(message)))
        #expect(answer.text.contains("id=\"\(field)_problem\""))
        if field != "domain" { #expect(answer.field("domain") == "new.example:8002") }
        if field != "display_name" { #expect(answer.field("display_name") == " New &amp; &lt;Old&gt; ") }
        #expect(try await Self.rows(server) == before)
    }

    @Test func `changes a service, all but its domain and credential`() async throws {
        try await server.addDomains()
        let anna = try await Self.administrator(server)
        let before = try #require(try await server.store.read { try $0.domains.find(TestDomains.radio.name) })
        let (path, shown) = ("admin/domains/change", "admin/domains/change?domain=radio.example")
        let page = try await anna.get(shown)
        #expect(page.field("display_name") == "Radio &lt;Ö&gt;")
        #expect(page.text.contains(TestDomains.appCallback))

        var form = Self.complete
        form["domain"] = "radio.example"
        form["group"] = ""
        #expect(try await anna.change(path, form, shownBy: shown).location == "/admin/domains?done=changed")
        let after = try #require(try await server.store.read { try $0.domains.find(TestDomains.radio.name) })
        #expect(after.displayName == "New & <Old>" && after.group == nil && after.redirectURIs.count == 2)
        #expect(after.credential == before.credential && after.tokenLifetime == 3600)
        #expect(try await anna.get("admin/domains?done=changed").text.contains("The service is changed."))

        form["sign_on"] = "whenever"
        let refused = try await anna.change(path, form, shownBy: shown)
        #expect(refused.status == .unprocessableContent && refused.text.contains("Change a service"))
        let left = try await server.store.read { try $0.domains.find(TestDomains.radio.name) }
        #expect(left == after)
    }

    @Test func `renews a credential after asking, and the old one is worth nothing`() async throws {
        try await server.addDomains()
        let anna = try await Self.administrator(server)
        let before = try await Self.rows(server)
        let form = try await anna.get("admin/domains/change?domain=radio.example")
        let links = Markup(form.text).all("a").compactMap { $0.attributes["href"] }
        #expect(links.contains("/admin/domains/renew?domain=radio.example"))
        let question = try await anna.get("admin/domains/renew?domain=radio.example")
        #expect(question.text.contains("Renew this credential?") && question.field("domain") == "radio.example")
        #expect(try await Self.rows(server) == before)

        let answer = try await anna.post("admin/domains/renew", ["domain": "radio.example"])
        let credential = try #require(answer.text.firstMatch(of: /class="credential">([^<]+)</)?.1)
        let digest = ServiceCredential(revealing: String(credential)).digest
        try await server.store.read { (repositories: any Repositories) throws in
            #expect(try repositories.domains.find(digest)?.name == TestDomains.radio.name)
            #expect(try repositories.domains.find(SecretDigest(of: "radio.example")) == nil)
        }
    }

    @Test func `removes a service after asking, with what was signed in for it`() async throws {
        try await server.addDomains()
        let device = try await server.addDevice()
        let radio = try await server.signedIn(device)
        let news = try await server.signedIn(device, for: .news)
        let anna = try await Self.administrator(server)
        let question = try await anna.get("admin/domains/remove?domain=radio.example")
        #expect(question.text.contains("Remove this service?") && question.field("domain") == "radio.example")
        #expect(try await Self.rows(server).count == 2)

        let answer = try await anna.post("admin/domains/remove", ["domain": "radio.example"])
        #expect(answer.location == "/admin/domains?done=removed")
        try await server.store.read { (repositories: any Repositories) throws in
            #expect(try repositories.domains.all().map(\.name) == [TestDomains.news.name])
            #expect(try repositories.accessTokens.find(radio.token.digest) == nil)
            #expect(try repositories.accessTokens.find(news.token.digest) != nil)
        }
    }

    @Test func `knows nothing of services that do not exist`() async throws {
        try await server.addDomains()
        let anna = try await Self.administrator(server)
        let before = try await Self.rows(server)
        for name in ["unknown.example", "RADIO.example", "' OR 1=1 --", "é", "%00"] {
            var query = Form()
            query["domain"] = name
            for page in ["change", "renew", "remove"] {
                #expect(try await anna.get("admin/domains/\(page)?\(query.encoded)").status == .notFound)
            }
            for act in ["change", "renew", "remove"] {
                let answer = try await anna.post("admin/domains/\(act)", Self.complete.with(query, over: "domain"))
                #expect(answer.status == .notFound)
            }
        }
        #expect(try await anna.get("admin/domains/change").status == .notFound)
        #expect(try await anna.post("admin/domains/renew", [:]).status == .forbidden)
        #expect(try await Self.rows(server) == before)
    }

    @Test func `writes down who did what`() async throws {
        let anna = try await Self.administrator(server)
        _ = try await anna.post("admin/domains/add", Self.complete)
        let named: Form = ["domain": "new.example:8002"]
        let changed: Form = ["domain": "new.example:8002", "display_name": "N", "sign_on": "never"]
        let shown = "admin/domains/change?domain=new.example:8002"
        _ = try await anna.change("admin/domains/change", changed, shownBy: shown)
        _ = try await anna.change("admin/domains/change", changed, shownBy: shown)
        _ = try await anna.post("admin/domains/renew", named)
        _ = try await anna.post("admin/domains/remove", named)
        let entries = try await server.audit().suffix(4).map(\.facts)
        #expect(
            entries.map(\.act) == [.domainAdded, .domainChanged, .domainCredentialRenewed, .domainRemoved]
        )
        for entry in entries {
            #expect(entry.by == .person && entry.subject == TestPerson.anna.subject)
            #expect(entry.detail == "new.example:8002")
        }
    }

    @Test(arguments: sent)
    func `takes no form that did not come from it`(path: String) async throws {
        try await server.addDomains()
        let anna = try await Self.administrator(server)
        let form = try Self.complete.with(["domain": "radio.example"], over: "domain")
        let before = try await Self.rows(server)
        for site in ["cross-site", "same-site"] {
            #expect(try await anna.post(path, form, headers: [.secFetchSite: site]).status == .forbidden)
        }
        #expect(try await anna.post(path, form.with(["form_token": "wrong"])).status == .forbidden)
        for method in [HTTPRequest.Method.get, .head, .put, .delete] {
            _ = try await server.send(method, "/\(path)?domain=radio.example", headers: [.cookie: anna.cookie])
        }
        #expect(try await Self.rows(server) == before)
    }

    @Test func `lists services in pages`() async throws {
        let anna = try await Self.administrator(server)
        let names = (0..<AdminView.pageLength + 1).map { "crowd-\(1000 + $0).example" }
        let now = server.clock.date
        try await server.change { repositories in
            for name in names {
                try repositories.domains.insert(
                    ServiceDomain(
                        name: Domain(name), displayName: name, credential: SecretDigest(of: name), redirectURIs: [],
                        created: now))
            }
        }
        let first = try await anna.get("admin/domains").text
        let more = try #require(
            Markup(first).all("a").compactMap { $0.attributes["href"] }.first { $0.contains("after=") })
        let second = try await anna.get(String(more.dropFirst())).text
        let shown = (first + second).matches(of: /<p class="claim"><bdi>([^<]+)<\/bdi>/).map { String($0.1) }
        let further = Markup(second).all("a").compactMap { $0.attributes["href"] }.filter { $0.contains("after=") }
        #expect(shown == names && further == [])
    }

    // MARK: Fixture

    static let complete: Form = [
        "domain": "new.example:8002", "display_name": " New & <Old> ", "sign_on": "automatic", "group": " music ",
        "redirect_uris": "https://new.example/done\r\n\r\n org.example.new:/done \r\n", "token_lifetime": " 3600 ",
    ]

    static func administrator(_ server: TestServer) async throws -> TestBrowser {
        try await server.administrator()
    }

    static func rows(_ server: TestServer) async throws -> [ServiceDomain] {
        try await server.store.read { try $0.domains.all() }
    }
}

extension Form {
    /// This form with one field taken from another.
    fileprivate func with(_ other: Form, over name: String) throws -> Form {
        var form = self
        form[name] = other[name]
        return form
    }
}
