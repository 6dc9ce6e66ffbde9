import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The pages of administrators", .server)
struct AdministrationPagesTests {
    let server = TestServer.current

    // MARK: Groups

    @Test func `add groups, put people in and take them out, and remove them after a question`() async throws {
        let anna = try await server.administrator()
        let band = "admin/groups/group?group=band"
        let added = try await anna.post("admin/groups/add", ["name": "band", "note": "Those who play"])
        #expect(added.location == "/\(band)&done=added")
        #expect(try await anna.get("admin/groups").text.contains("Those who play"))
        let member = try await anna.post("admin/groups/members/add", ["group": "band", "username": "bert"])
        #expect(member.location == "/\(band)&done=member-added")
        #expect(try await anna.get("\(band)&done=member-added").text.contains("The person is in the group."))
        #expect(
            try await server.groups.find(GroupName(rawValue: "band"))?.people.map(\.subject)
                == [TestPerson.bert.subject])
        let nobody = try await anna.post("admin/groups/members/add", ["group": "band", "username": "nobody"])
        #expect(nobody.status == .unprocessableContent && nobody.text.contains("There is nobody of that name."))
        let form: Form = ["group": "band", "member": TestPerson.bert.subject.rawValue]
        let question = "admin/groups/members/remove?\(form.encoded)"
        #expect(Markup(try await anna.get(band).text).links.contains("/\(question)"))
        #expect(try await anna.get(question).text.contains("Take this person out of the group?"))
        #expect(try await anna.get("admin/groups/members/remove?group=band&member=nobody").status == .notFound)
        #expect(try await anna.post("admin/groups/members/remove", form).status == .seeOther)
        #expect(try await server.groups.find(GroupName(rawValue: "band"))?.people.isEmpty == true)
        #expect(try await anna.get("admin/groups/remove?group=band").text.contains("Remove this group?"))
        let removed = try await anna.post("admin/groups/remove", ["group": "band"])
        #expect(removed.location == "/admin/groups?done=removed")
        #expect(try await anna.get(band).status == .notFound)
    }

    @Test func `put groups into a group and take them out, and say why one is not put in`() async throws {
        let anna = try await server.administrator()
        let (band, strings) = (GroupName("band"), GroupName("strings"))
        for name in [band, strings] { _ = try await server.groups.add(name, note: nil) }
        func put(_ inner: String, into group: GroupName) async throws -> TestResponse {
            try await anna.post("admin/groups/members/add", ["group": group.rawValue, "inner": inner])
        }
        #expect(try await put(" strings ", into: band).location == "/admin/groups/group?group=band&done=member-added")
        #expect(try await server.groups.find(band)?.groups == [strings])
        #expect(try await put("band", into: strings).text.contains("contains this one already"))
        #expect(try await put("brass", into: band).text.contains("no group of that name"))
        #expect(try await put("band", into: GroupName("brass")).status == .notFound)
        let form: Form = ["group": "band", "inner": "strings"]
        let question = "admin/groups/members/remove?\(form.encoded)"
        #expect(Markup(try await anna.get("admin/groups/group?group=band").text).links.contains("/\(question)"))
        #expect(try await anna.get(question).text.contains("Take this group out of the group?"))
        #expect(try await anna.post("admin/groups/members/remove", form).status == .seeOther)
        #expect(try await server.groups.find(band)?.groups.isEmpty == true)
    }

    @Test(arguments: [("", "no name"), ("band", "of that name already"), ("a b", "no name")])
    func `say why a group is not added`(name: String, reason: String) async throws {
        let anna = try await server.administrator()
        _ = try await anna.post("admin/groups/add", ["name": "band", "note": ""])
        let answer = try await anna.post("admin/groups/add", ["name": name, "note": ""])
        #expect(answer.status == .unprocessableContent && answer.text.contains(reason))
        #expect(try await server.groups.all().count == 1)
    }

    @Test func `show the people of a group in pages`() async throws {
        let (anna, band) = (try await server.administrator(), GroupName("band"))
        _ = try await server.groups.add(band, note: nil)
        let crowd = (0..<AdminView.pageLength + 2).map { Subject("member-\(1000 + $0)") }
        try await server.change { repositories in
            for subject in crowd {
                try repositories.people.insert(
                    Person(
                        subject: subject, username: Username(rawValue: subject.rawValue), name: subject.rawValue,
                        password: nil,
                        created: Date(timeIntervalSince1970: 1_800_000_000)))
                try repositories.groups.add(subject, to: band)
            }
        }
        let first = Markup(try await anna.get("admin/groups/group?group=band").text).links
        #expect(first.count { $0.hasPrefix("/admin/people/person?") } == AdminView.pageLength)
        let more = try #require(first.first { $0.contains("after=") })
        let second = Markup(try await anna.get(String(more.dropFirst())).text).links
        #expect(
            second.filter { $0.hasPrefix("/admin/people/person?") }
                == crowd.suffix(2).map { PeoplePage.address(of: $0) })
        #expect(!second.contains { $0.contains("after=") })
    }

    // MARK: Apps

    @Test func `list apps in pages`() async throws {
        let anna = try await server.administrator()
        let ids = (0..<AdminView.pageLength + 1).map { "crowd-\(1000 + $0)" }
        let now = server.clock.date
        try await server.change { repositories in
            for id in ids {
                try repositories.clients.insert(
                    Client(
                        id: ClientID(id), name: id, kind: .public, grantTypes: [.deviceCode], scope: .none,
                        tokenFormat: .opaque, created: now))
            }
        }
        let all = try await server.store.read { try $0.clients.all() }.map(\.id.rawValue)
        let first = Markup(try await anna.get("admin/clients").text).links
        let more = try #require(first.first { $0.contains("after=") })
        let second = Markup(try await anna.get(String(more.dropFirst())).text).links
        let shown = (first + second).filter { $0.hasPrefix("/admin/clients/client?") }
        #expect(shown == all.map { AdminAddress.of("/admin/clients/client", ["client": $0]) })
        #expect(!second.contains { $0.contains("after=") })
    }

    @Test func `leave the app of a site to the page of the site`() async throws {
        let anna = try await server.administrator()
        let site = try await TestCustomer.add(to: server).environment
        let page = try await anna.get("admin/clients/client?client=\(site.client)")
        #expect(Markup(page.text).links.contains("/admin/sites/change?site=\(site.id)"))
        #expect(!page.text.contains("/admin/clients/remove") && !page.text.contains("/admin/clients/change"))
        let form: Form = ["client": site.client.rawValue, "name": "Other"]
        for act in ["change", "secret", "remove"] {
            let answer = try await anna.post("admin/clients/\(act)", form)
            #expect(answer.status == .unprocessableContent && answer.text.contains("belongs to a site"), "\(act)")
        }
        for act in ["secret", "remove"] {
            let answer = try await anna.get("admin/clients/\(act)?client=\(site.client)")
            #expect(answer.status == .unprocessableContent, "\(act)")
        }
        #expect(try await server.store.read { try $0.environments.find(site.id) } == site)
        #expect(try await server.store.read { try $0.clients.find(site.client) }?.name == "My Bank")
    }

    @Test func `name an app, renew its secret and remove it, each after a question that loses something`() async throws
    {
        let anna = try await server.administrator()
        let id = TestClients.console.id
        let page = "admin/clients/client?client=\(id)"
        #expect(try await anna.get("admin/clients").text.contains(id.rawValue))
        #expect(try await anna.get(page).status == .ok)
        let (path, shown) = ("admin/clients/change", "admin/clients/change?client=\(id)")
        let changed = try await anna.change(path, ["client": id.rawValue, "name": " New name "], shownBy: shown)
        #expect(changed.location == "/\(page)&done=changed")
        #expect(try await server.store.read { try $0.clients.find(id) }?.name == "New name")
        let nameless = try await anna.change(path, ["client": id.rawValue, "name": " "], shownBy: shown)
        #expect(nameless.status == .unprocessableContent)
        #expect(try await anna.get("admin/clients/remove?client=\(id)").text.contains("Remove this app?"))
        let removed = try await anna.post("admin/clients/remove", ["client": id.rawValue])
        #expect(removed.location == "/admin/clients?done=removed")
        #expect(try await server.store.read { try $0.clients.find(id) } == nil)
        #expect(try await anna.get(page).status == .notFound)
        #expect(try await anna.post("admin/clients/remove", ["client": "nobody"]).status == .notFound)
    }

    @Test func `add an app with a secret, shown once, and say why another is not added`() async throws {
        let anna = try await server.administrator()
        let offered = try await anna.get("admin/clients/add")
        #expect(ClientMember.allCases.allSatisfy { offered.text.contains("name=\"\($0.rawValue)\"") })
        #expect(Markup(try await anna.get("admin/clients").text).links.contains("/admin/clients/add"))
        let form: Form = [
            "client": "portal", "kind": "confidential", "name": "Portal", "grant": "",
            "redirect-uri": "https://portal.example/done\r\nhttps://portal.example/other", "scope": "openid email",
        ]
        let answer = try await anna.post("admin/clients/add", form)
        let secret = try #require(answer.text.firstMatch(of: /class="credential">([\w-]{43})</)?.1)
        let added = try #require(try await server.store.read { try $0.clients.find(ClientID("portal")) })
        #expect(added.kind == .confidential(ClientSecret(revealing: String(secret)).digest))
        #expect(added.name == "Portal" && added.grantTypes == [.authorizationCode, .refreshToken])
        #expect(added.redirects.redirectURIs == ["https://portal.example/done", "https://portal.example/other"])
        #expect(added.scope == Scope([.openid, .email]))
        #expect(try await server.audited(.clientAdded).contains { $0.client == added.id && $0.by == .person })
        let taken = try await anna.post("admin/clients/add", form)
        #expect(taken.status == .unprocessableContent && taken.text.contains("of this identifier already"))
        let spaced = try await anna.post("admin/clients/add", ["client": "a b", "kind": "public"])
        #expect(spaced.status == .unprocessableContent && spaced.text.contains("128 visible ASCII"))
    }

    @Test func `change the members of an app, each by the rules of the command`() async throws {
        let anna = try await server.administrator()
        let id = TestClients.console.id
        let before = try #require(try await server.store.read { try $0.clients.find(id) })
        let (path, shown) = ("admin/clients/change", "admin/clients/change?client=\(id)")
        let page = try await anna.get(shown)
        #expect(ClientMember.allCases.allSatisfy { page.text.contains("name=\"\($0.rawValue)\"") })
        let form: Form = [
            "client": id.rawValue, "post-logout-redirect-uri": "https://console.example/bye", "consent": "skip",
            "code-lifetime": "120", "minimum-evidence": "nearby",
        ]
        #expect(try await anna.change(path, form, shownBy: shown).status == .seeOther)
        let after = try #require(try await server.store.read { try $0.clients.find(id) })
        var expected = before
        expected.redirects.postLogoutRedirectURIs = ["https://console.example/bye"]
        expected.redirects.consent = .skip
        expected.lifetimes.code = 120
        expected.minimumEvidence = ScopeDemands([.nearby])
        #expect(after == expected)
        var whole = ClientDraft(of: after).submitted
        whole["client"] = id.rawValue
        #expect(try await anna.change(path, whole, shownBy: shown).status == .seeOther)
        #expect(try await server.store.read { try $0.clients.find(id) } == after)
        whole[ClientMember.postLogoutRedirectURIs.rawValue] = nil
        whole[ClientMember.minimumEvidence.rawValue] = nil
        #expect(try await anna.change(path, whole, shownBy: shown).status == .seeOther)
        expected.redirects.postLogoutRedirectURIs = []
        expected.minimumEvidence = .none
        #expect(try await server.store.read { try $0.clients.find(id) } == expected)
        let refusals = [
            ("code-lifetime", "5", "Codes live, in seconds goes from 30 to 3600 seconds."),
            ("grant", "implicit", "There is no grant implicit"), ("dpop", "never", "allowed, required, nonce or"),
            ("web-origin", "example", "an origin looks like"), ("profile", "fapi2", "needs a client with keys"),
        ]
        for (member, text, reason) in refusals {
            let answer = try await anna.change(path, ["client": id.rawValue, member: text], shownBy: shown)
            #expect(answer.status == .unprocessableContent && answer.text.contains(reason), "\(member)")
        }
        #expect(try await server.store.read { try $0.clients.find(id) } == expected)
    }

    @Test func `show a renewed secret once`() async throws {
        let client = Client(
            id: ClientID("backend"), name: "Backend", kind: .confidential(SecretDigest(of: "old")),
            grantTypes: [.clientCredentials], scope: .none, tokenFormat: .opaque, created: server.clock.date)
        try await server.change { try $0.clients.insert(client) }
        let anna = try await server.administrator()
        #expect(try await anna.get("admin/clients/secret?client=backend").text.contains("Renew this secret?"))
        let answer = try await anna.post("admin/clients/secret", ["client": "backend"])
        let secret = try #require(answer.text.firstMatch(of: /class="credential">([\w-]{43})</)?.1)
        let kind = try await server.store.read { try $0.clients.find(ClientID("backend")) }?.kind
        guard case .confidential(let digest, let replaced) = kind else {
            Issue.record("\(String(describing: kind))")
            return
        }
        #expect(digest == ClientSecret(revealing: String(secret)).digest && replaced != nil)
        let entry = try #require(try await server.audited(.clientSecretRenewed).first)
        #expect(entry.by == .person && entry.subject == TestPerson.anna.subject)
        let fixed = try await anna.post("admin/clients/secret", ["client": TestClients.tv.id.rawValue])
        #expect(fixed.status == .unprocessableContent)
    }

    // MARK: The audit

    @Test func `filter the audit by act and person, and go on before the last entry searched`() async throws {
        let anna = try await server.administrator()
        for _ in 0..<60 { _ = try await server.people().signOutEverywhere(TestPerson.bert.subject) }
        _ = try await server.people().lock(TestPerson.bert.subject)
        let locked = try await anna.get("admin/audit?act=person.lo")
        #expect(locked.text.contains("person.locked") && !locked.text.contains("person.signed_out"))
        let first = try await anna.get("admin/audit?act=person.signed_out&person=bert")
        #expect(first.acts == Array(repeating: "person.signed_out", count: 50))
        let more = try #require(
            Markup(first.text).all("a").compactMap { $0.attributes["href"] }.first { $0.contains("before=") })
        let second = try await anna.get(String(more.replacing("&amp;", with: "&").dropFirst()))
        #expect(second.acts == Array(repeating: "person.signed_out", count: 10))
        #expect(try await anna.get("admin/audit?person=nobody").text.contains("There is nobody of that name."))
        #expect(try await anna.get("admin/sessions?person=anna").acts.contains("browser.signed_in"))
        #expect(try await anna.get("admin/limits").acts == [])
    }

    @Test func `find a person in the audit behind many entries about others, also after the removal`() async throws {
        let anna = try await server.administrator(as: .auditor)
        let (bert, now) = (TestPerson.bert.subject, server.clock.date)
        _ = try await server.people().lock(bert)
        try await server.change { repositories in
            for _ in 0..<5_000 {
                try Audit(repositories).record(AuditEntry.Facts(at: now, .tokenRevoked, by: .client))
            }
            try AccountRemoval(repositories).remove(bert, at: now)
        }
        #expect(try await anna.get("admin/audit?act=person.lo&person=\(bert)").acts == ["person.locked"])
        let unnamed = try await anna.get("admin/audit?act=person.lo")
        #expect(unnamed.acts == [] && unnamed.text.contains("older ones follow") && !unnamed.text.contains("None."))
    }

    @Test func `verify the audit, and say where it is broken`() async throws {
        let auditor = try await server.administrator(as: .auditor)
        #expect(try await auditor.post("admin/audit/verify", [:]).text.contains("The audit is sound up to entry"))
        let head = try await server.store.read { try $0.audit.head() }
        _ = try await server.store.change { try $0.audit.sweep(before: .distantFuture, limit: 1) }
        let entry = AuditEntry(
            restoring: head.number + 1,
            AuditEntry.Facts(at: server.clock.date, .personLocked, by: .operator), previous: head.hash,
            hash: AuditHash(restoring: [UInt8](repeating: 1, count: 32)))
        try await server.change { try $0.audit.append(entry) }
        let broken = try await auditor.post("admin/audit/verify", [:])
        #expect(broken.text.contains("The audit is not sound."))
    }

    @Test func `go on with a verification at the entry that a form names`() async throws {
        let auditor = try await server.administrator(as: .auditor)
        let entries = try await server.store.read { try $0.audit.entries(after: 0, limit: 2) }
        func verify(after place: String) async throws -> TestResponse {
            try await auditor.post("admin/audit/verify", ["after": place])
        }
        let first = try #require(entries.first)
        #expect(try await verify(after: "1:\(first.hash)").text.contains("The audit is sound up to entry"))
        #expect(try await verify(after: "2:\(first.hash)").text.contains("The audit is not sound."))
        #expect(try await verify(after: "999999:\(first.hash)").text.contains("The audit is not sound."))
        for broken in ["1", ":", "one:\(first.hash)"] { #expect(try await verify(after: broken).status != .ok) }
    }

    // MARK: Others

    @Test func `show mails that cannot be sent, and what becomes of them`() async throws {
        let anna = try await server.administrator(as: .auditor)
        #expect(try await anna.get("admin/deliveries").text.contains("None."))
        let message = MailMessage(.passwordChanged, to: EmailAddress("bert@example.org"))
        var delivery = Delivery(
            id: Delivery.ID("d"), .mail(message, nil), made: server.clock.date, expires: server.clock.date + 3600)
        delivery.attempts = 2
        delivery.problem = "status 1: the relay is <closed>"
        let waiting = delivery
        try await server.change { try $0.deliveries.insert(waiting) }
        let page = try await anna.get("admin/deliveries").text
        #expect(page.contains("bert@example.org") && page.contains("Is tried again"))
        #expect(page.contains("status 1: the relay is &lt;closed&gt;"))
        delivery.end(.failed(.rejected, at: server.clock.date))
        let failed = delivery
        try await server.change { try $0.deliveries.update(failed) }
        #expect(try await anna.get("admin/deliveries").text.contains("Given up: the receiver refuses it"))
        let german = try await server.get(
            server.path("admin/deliveries"), headers: [.cookie: anna.cookie, .acceptLanguage: "de"]
        ).text
        #expect(german.contains("Aufgegeben: vom Empfänger abgelehnt") && !german.contains("rejected"))
    }

    @Test func `tell what happened to one request`() async throws {
        let codes = try await server.ask(as: .tv)
        try await server.browser(of: .bert).decide("approve", codes)
        let helper = try await server.administrator(as: .helpdesk)
        var query = Form()
        query["q"] = codes.userCode.rawValue
        let page = try await helper.get("admin/requests?\(query.encoded)")
        #expect(page.text.contains("What happened") && page.text.contains("bert"))
        #expect(try await helper.get("admin/requests?q=nothing").text.contains("Nothing is known"))
        #expect(try await !helper.get("admin/requests").text.contains("Nothing is known"))
    }

    @Test func `list the keys that sign, without their secrets`() async throws {
        let anna = try await server.administrator(as: .auditor)
        let page = try await anna.get("admin/keys").text
        #expect(page.contains("an-rsa-key") && page.contains("RS256"))
    }

    @Test func `have one frame: each names all that a role may read, and marks the one that is shown`() async throws {
        let anna = try await server.administrator()
        for noun in AdminNoun.allCases {
            let page = try await anna.get(String(noun.path.dropFirst()))
            let current = Markup(page.text).all("a").filter { $0.attributes["aria-current"] == "page" }
            #expect(current.compactMap { $0.attributes["href"] } == [noun.path], "\(noun)")
        }
    }
}

extension Markup {
    /// The addresses of the links on the page.
    var links: [String] {
        all("a").compactMap { $0.attributes["href"]?.replacing("&amp;", with: "&") }
    }
}

extension TestResponse {
    /// The acts of the audit entries on the page.
    fileprivate var acts: [String] {
        text.matches(of: /<h3><bdi>([a-z_]+\.[a-z_]+)<\/bdi><\/h3>/).map { String($0.1) }
    }
}
