import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The page of sites")
struct CustomerSitesPageTests {
    private static let complete: Form = [
        "name": "My Bank", "icon": "", "webhook": "https://bank.example/decided", "legacy_devices": "no",
        "text_prefixes": "+31\r\n+32", "texts_per_day": "500",
    ]
    private static let sent = [
        "admin/sites/add", "admin/sites/change", "admin/sites/secret",
        "admin/sites/remove", "admin/apps/add", "admin/apps/remove",
    ]

    private func open(_ test: @escaping @Sendable (TestServer, TestBrowser) async throws -> Void) async throws {
        try await TestServer.open { server in
            try await test(server, try await server.administrator())
        }
    }

    private func sites(_ server: TestServer) async throws -> [CustomerSite] {
        try await server.store.read { try $0.environments.all() }
    }

    @Test func `is for administrators, in the middle of a form too`() async throws {
        try await open { server, anna in
            let bert = try await server.browser(of: .bert)
            for path in ["admin/sites", "admin/sites/add"] {
                #expect(try await bert.get(path).status == .forbidden)
            }
            for path in Self.sent { #expect(try await bert.post(path, Self.complete).status == .forbidden) }
            #expect(try await anna.get("account").text.contains("href=\"/admin\""))
            try await server.promote(.anna, to: .user)
            for path in Self.sent { #expect(try await anna.post(path, Self.complete).status == .forbidden) }
            #expect(try await sites(server).isEmpty)
            #expect(try await server.get("/admin/sites").location?.hasPrefix("/login?") == true)
        }
    }

    @Test func `lists sites and apps in pages`() async throws {
        try await open { server, anna in
            let numbers = (0..<AdminView.pageLength + 1).map { 1000 + $0 }
            let now = server.clock.date
            try await server.change { repositories in
                for number in numbers {
                    try repositories.environments.insert(
                        CustomerSite(
                            id: CustomerSiteID("00000000-0000-4000-8000-00000000\(number)"), name: "Site \(number)",
                            secret: CustomerSite.SealedSecret(restoring: []), created: now))
                    try repositories.authenticatorApps.insert(
                        AuthenticatorApp(key: AppKey("key-\(number)"), name: "App \(number)", created: now))
                }
            }
            var (address, shown) = ("admin/sites", "")
            for member in ["after=", "after_app="] {
                let page = try await anna.get(address).text
                shown += page
                let more = Markup(page).links.first { $0.contains("?\(member)") || $0.contains("&\(member)") }
                address = String(try #require(more).dropFirst())
            }
            let last = try await anna.get(address).text
            #expect(last.contains("Site 1050") && !last.contains("Site 1049"))
            #expect(last.contains("App 1050") && !last.contains("App 1049"))
            #expect(!Markup(last).links.contains { $0.contains("after") })
            #expect(numbers.dropLast().allSatisfy { shown.contains("Site \($0)<") && shown.contains("App \($0)<") })
        }
    }

    @Test func `adds a site, and shows its secret once; the secret works`() async throws {
        try await open { server, anna in
            let shown = try await anna.post("admin/sites/add", Self.complete)
            #expect(shown.status == .ok, "\(shown.text)")
            let site = try #require(try await sites(server).first)
            #expect(site.name == "My Bank" && site.texts.prefixes == ["+31", "+32"])
            #expect(site.texts.perDay == 500 && site.webhook == "https://bank.example/decided")
            let text = try #require(shown.text.firstMatch(of: #/<code class="credential">([^<]+)</code>/#)?.1)
            let secret = CustomerSiteSecret(revealing: String(text))
            let keys = try await server.server.services.keys.current()
            #expect(keys.opened(site.secret, of: site.id) == secret)
            #expect(try await !anna.get("admin/sites").text.contains(secret.revealed))
            let customer = TestCustomer(server: server, environment: site, secret: secret)
            try await customer.give(TestCustomer.anna, to: .anna)
            #expect(try await customer.ask().status == .ok)
            let entry = try #require(try await server.audited(.environmentAdded).first)
            #expect(entry.subject == TestPerson.anna.subject)
        }
    }

    @Test func `changes, renews and removes one`() async throws {
        try await open { server, anna in
            _ = try await anna.post("admin/sites/add", Self.complete)
            let id = try #require(try await sites(server).first).id
            let form = try await anna.get("admin/sites/change?site=\(id)")
            #expect(form.field("site") == id.rawValue && form.text.contains("+31"))
            var changes = Self.complete
            changes["site"] = id.rawValue
            changes["version"] = form.field("version")
            changes["name"] = "Our Bank"
            changes["texts_per_day"] = "unlimited"
            #expect(
                try await anna.post("admin/sites/change", changes).location
                    == "/admin/sites?done=changed")
            let changed = try #require(try await sites(server).first)
            #expect(changed.name == "Our Bank" && changed.texts.perDay == nil)
            let address = "admin/sites/secret?site=\(id)"
            #expect(Markup(form.text).all("a").contains { $0.attributes["href"] == "/\(address)" })
            let renewal = try await anna.get(address)
            #expect(renewal.text.contains("Renew this secret?") && renewal.field("site") == id.rawValue)
            let renewed = try await anna.post("admin/sites/secret", ["site": id.rawValue])
            #expect(renewed.text.contains("The secret is renewed"))
            let kept = try await sites(server).first?.replaced
            #expect(kept?.ends == server.clock.date + 86_400)
            let removal = try await anna.get("admin/sites/remove?site=\(id)")
            #expect(removal.text.contains("Our Bank") && removal.field("site") == id.rawValue)
            for place in [#"action="/admin/sites/remove""#, #"href="/admin/sites""#] {
                #expect(removal.text.contains(place), "\(place)")
            }
            _ = try await anna.post("admin/sites/remove", ["site": id.rawValue])
            #expect(try await sites(server).isEmpty)
            #expect(try await anna.get("admin/sites/change?site=\(id)").status == .notFound)
            for act in [AuditAct.clientAdded, .environmentAdded, .environmentRemoved, .clientRemoved] {
                let entry = try #require(try await server.audited(act).last)
                #expect(entry.by == .person && entry.subject == TestPerson.anna.subject, "\(act)")
            }
        }
    }

    @Test(
        .server,
        arguments: [
            "admin/sites", "admin/sites/add", "admin/sites/change?site=1",
            "admin/sites/secret?site=1", "admin/sites/remove?site=1", "admin/apps/remove?key=1",
        ])
    func `is where the browser returns after signing in`(path: String) async throws {
        let server = TestServer.current
        let login = try #require(try await server.get("/\(path)").location)
        #expect(try await server.get(login).unescapedField("return_to") == "/\(path)")
    }

    @Test(arguments: [
        ("name", ""), ("icon", "http://bank.example/a.png"), ("webhook", "http://bank.example"),
        ("text_prefixes", "0031"), ("texts_per_day", "many"), ("texts_per_day", "-1"),
    ])
    func `says what does not go, beside the field, and keeps what was typed`(field: String, value: String) async throws
    {
        try await open { server, anna in
            var form = Self.complete
            form[field] = value
            let answer = try await anna.post("admin/sites/add", form)
            #expect(answer.status == .unprocessableContent)
            #expect(
                answer.text.contains("id=\"\(field)_problem\"")
                    && answer.text.contains("500") == (field != "texts_per_day"))
            #expect(try await sites(server).isEmpty)
        }
    }

    @Test(arguments: [
        ("app_name", ""), ("app_name", String(repeating: "W", count: 101)), ("bundle_id", "a b"), ("project", "é"),
    ])
    func `says what does not go of an app, beside the field`(field: String, value: String) async throws {
        try await open { server, anna in
            var form: Form = ["app_name": "Bank", "bundle_id": "com.example.bank", "project": "bank"]
            form[field] = value
            let answer = try await anna.post("admin/apps/add", form)
            #expect(answer.status == .unprocessableContent && answer.text.contains("<title>Problem: "))
            let heading = try #require(answer.text.range(of: "<h1>")).lowerBound
            let alert = try #require(answer.text.range(of: "role=\"alert\"")).lowerBound
            let first = try #require(answer.text.range(of: "<h2")).lowerBound
            #expect(heading < alert && alert < first)
            let marked = Markup(answer.text).all("input").filter { $0.attributes["aria-invalid"] == "true" }
            #expect(marked.compactMap { $0.attributes["id"] } == [field])
            #expect(marked.first?.attributes["aria-describedby"]?.hasSuffix("\(field)_problem") == true)
            #expect(answer.text.contains("<p class=\"wrong\" id=\"\(field)_problem\">"))
            #expect(answer.field("bundle_id") == form["bundle_id"] && answer.field("project") == form["project"])
            #expect(try await server.store.read { try $0.authenticatorApps.all() }.isEmpty)
        }
    }

    @Test func `makes and removes keys of apps`() async throws {
        try await open { server, anna in
            let wrong = try await anna.post("admin/apps/add", ["app_name": "Bank", "bundle_id": "a b"])
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("letters, digits"))
            let added = try await anna.post("admin/apps/add", ["app_name": "Bank", "bundle_id": "com.example.bank"])
            #expect(added.location == "/admin/sites?done=app-added")
            let app = try #require(try await server.store.read { try $0.authenticatorApps.all() }.first)
            #expect(app.bundleID == "com.example.bank" && app.project == nil)
            let list = try await anna.get("admin/sites").text
            #expect(list.contains(app.key.rawValue))
            #expect(!Markup(list).forms.contains { $0.form.attributes["action"] == "/admin/apps/remove" })
            let path = "admin/apps/remove?key=\(app.key)"
            #expect(Markup(list).all("a").contains { $0.attributes["href"] == "/\(path)" })
            let question = try await anna.get(path)
            #expect(question.text.contains("Remove this key?") && question.field("key") == app.key.rawValue)
            #expect(try await server.store.read { try $0.authenticatorApps.all() }.count == 1)
            #expect(try await anna.get("admin/apps/remove?key=x").status == .notFound)
            #expect(try await anna.get("admin/apps/remove").status == .notFound)
            #expect(try await server.browser(of: .bert).get(path).status == .forbidden)
            let removed = try await anna.post("admin/apps/remove", ["key": app.key.rawValue])
            #expect(removed.location == "/admin/sites?done=app-removed")
            #expect(try await server.store.read { try $0.authenticatorApps.all() }.isEmpty)
        }
    }
}
