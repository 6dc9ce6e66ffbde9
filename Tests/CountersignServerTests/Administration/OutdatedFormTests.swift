import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A form of administrators that was opened before another change", .server)
struct OutdatedFormTests {
    private let server = TestServer.current

    /// A record that a form changes.
    enum Record: CaseIterable {
        case person, client, service, site
    }

    /// A form of a record, and the field with its name.
    private struct Opened {
        /// The path of the page with the form.
        let page: String
        /// The path that the form is sent to.
        let path: String
        var form: Form
        let name: String
    }

    private static let site = CustomerSiteID("00000000-0000-4000-8000-000000000001")

    private func open(_ record: Record, in browser: TestBrowser) async throws -> Opened {
        var opened =
            switch record {
            case .person:
                Opened(
                    page: String(PeoplePage.address(of: TestPerson.bert.subject).dropFirst()),
                    path: "admin/people/change", form: ["subject": TestPerson.bert.subject.rawValue], name: "name")
            case .client:
                Opened(
                    page: "admin/clients/change?client=\(TestClients.console.id)", path: "admin/clients/change",
                    form: ["client": TestClients.console.id.rawValue], name: "name")
            case .service:
                Opened(
                    page: "admin/domains/change?domain=\(TestDomains.radio.name)", path: "admin/domains/change",
                    form: ["domain": TestDomains.radio.name.rawValue, "sign_on": "never"], name: "display_name")
            case .site:
                Opened(
                    page: "admin/sites/change?site=\(Self.site)", path: "admin/sites/change",
                    form: ["site": Self.site.rawValue, "texts_per_day": "500", "legacy_devices": "no"], name: "name")
            }
        opened.form[RecordVersion.field] = try await browser.get(opened.page).field(RecordVersion.field)
        opened.form[opened.name] = "Typed"
        return opened
    }

    /// Adds a service and a site.
    private func addRecords() async throws {
        try await server.addDomains()
        let now = server.clock.date
        try await server.change { repositories in
            try repositories.environments.insert(
                CustomerSite(
                    id: Self.site, name: "Bank", secret: CustomerSite.SealedSecret(restoring: []), created: now))
        }
    }

    /// Another change than that of the form.
    private func change(_ record: Record) async throws {
        try await server.change { repositories in
            switch record {
            case .person:
                var bert = try #require(try repositories.people.find(TestPerson.bert.subject))
                bert.changeEmail(to: "other@example.org", isVerified: true)
                try repositories.people.update(bert)
            case .client:
                var client = try #require(try repositories.clients.find(TestClients.console.id))
                client.redirects.consent = .skip
                try repositories.clients.update(client)
            case .service:
                var domain = try #require(try repositories.domains.find(TestDomains.radio.name))
                domain.tokenLifetime = 7200
                try repositories.domains.update(domain)
            case .site:
                var site = try #require(try repositories.environments.find(Self.site))
                site.webhook = "https://bank.example/decided"
                try repositories.environments.update(site)
            }
        }
    }

    /// The name that is stored of a record.
    private func name(of record: Record) async throws -> String? {
        try await server.store.read { repositories in
            switch record {
            case .person: try repositories.people.find(TestPerson.bert.subject)?.name
            case .client: try repositories.clients.find(TestClients.console.id)?.name
            case .service: try repositories.domains.find(TestDomains.radio.name)?.displayName
            case .site: try repositories.environments.find(Self.site)?.name
            }
        }
    }

    @Test(arguments: Record.allCases)
    func `does not undo it: it comes back as it was typed, and counts when it is sent again`(record: Record)
        async throws
    {
        try await addRecords()
        let anna = try await server.administrator()
        var opened = try await open(record, in: anna)
        try await change(record)
        let before = try await server.dump()
        let refused = try await anna.post(opened.path, opened.form)
        #expect(refused.status == .unprocessableContent)
        #expect(refused.text.contains("This was changed after you opened the form."))
        #expect(refused.field(opened.name) == "Typed")
        #expect(try await name(of: record) != "Typed")
        #expect(try await server.dump() == before)
        opened.form[RecordVersion.field] = refused.field(RecordVersion.field)
        #expect(try await anna.post(opened.path, opened.form).status == .seeOther)
        #expect(try await name(of: record) == "Typed")
    }

    @Test(arguments: Record.allCases)
    func `has the version of its page, and is refused without one`(record: Record) async throws {
        try await addRecords()
        let anna = try await server.administrator()
        var opened = try await open(record, in: anna)
        let version = opened.form[RecordVersion.field]
        for other in [nil, "", "x"] as [String?] {
            opened.form[RecordVersion.field] = other
            let refused = try await anna.post(opened.path, opened.form)
            #expect(refused.status == .unprocessableContent && refused.field(RecordVersion.field) == version)
        }
        opened.form[RecordVersion.field] = version
        #expect(try await anna.post(opened.path, opened.form).status == .seeOther)
    }

    @Test(arguments: Record.allCases)
    func `is not refused because it was sent twice`(record: Record) async throws {
        try await addRecords()
        let anna = try await server.administrator()
        let opened = try await open(record, in: anna)
        #expect(try await anna.post(opened.path, opened.form).status == .seeOther)
        let before = try await server.dump()
        #expect(try await anna.post(opened.path, opened.form).status == .seeOther)
        #expect(try await server.dump() == before)
    }

    @Test func `gives back no role that was taken`() async throws {
        let anna = try await server.administrator()
        try await server.promote(.bert, to: .auditor)
        let bert = TestPerson.bert.subject
        let page = String(PeoplePage.address(of: bert).dropFirst())
        var form: Form = ["subject": bert.rawValue, "role": "auditor"]
        form[RecordVersion.field] = try await anna.get(page).field(RecordVersion.field)
        try await server.promote(.bert, to: .user)
        let refused = try await anna.post("admin/people/role", form)
        #expect(refused.status == .unprocessableContent)
        // The chosen role is not kept in the form.
        #expect(refused.text.contains("choose again") && !refused.text.contains("what you typed"))
        #expect(try await server.people().find(bert)?.role == .user)
    }

    @Test func `keeps its version where it is refused for its input`() async throws {
        let anna = try await server.administrator()
        var opened = try await open(.client, in: anna)
        opened.form["dpop"] = "never"
        let refused = try await anna.post(opened.path, opened.form)
        #expect(refused.status == .unprocessableContent)
        #expect(refused.field(RecordVersion.field) == opened.form[RecordVersion.field])
    }
}
