import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The pages about people", .server)
struct PeoplePageTests {
    let server = TestServer.current
    private let bert = TestPerson.bert.subject

    private var named: Form { ["subject": bert.rawValue] }
    private var onePage: String { String(PeoplePage.address(of: bert).dropFirst()) }

    private func addCrowd(_ count: Int) async throws {
        let now = server.clock.date
        try await server.change { repositories in
            for number in 0..<count {
                let name = "crowd-\(1_000 + number)"
                var person = Person(
                    subject: Subject("s-\(name)"), username: Username(rawValue: name), name: "Member \(number)",
                    password: nil, created: now)
                person.changeEmail(to: "M\(number)@crowd.example")
                try repositories.people.insert(person)
            }
        }
    }

    @Test func `find people by the beginning of a name, an address or a user name, regardless of case`() async throws {
        try await addCrowd(3)
        let anna = try await server.administrator(as: .helpdesk)
        for text in ["Crowd-1001", "m1@CROWD", "member 1"] {
            var query = Form()
            query["q"] = text
            let page = try await anna.get("admin/people?\(query.encoded)")
            #expect(page.people == ["/admin/people/person?subject=s-crowd-1001"], "\(text)")
            #expect(page.field("q") == text)
        }
        #expect(try await anna.get("admin/people?q=nobody").text.contains("None."))
    }

    @Test func `find a user name in letters of any script, in either case`() async throws {
        let person = Person(
            subject: Subject("s-umlaut"), username: Username(rawValue: "änne"), name: "Member", password: nil,
            created: server.clock.date)
        try await server.change { try $0.people.insert(person) }
        let anna = try await server.administrator(as: .helpdesk)
        var query = Form()
        query["q"] = " ÄN"
        #expect(try await anna.get("admin/people?\(query.encoded)").people == ["/admin/people/person?subject=s-umlaut"])
    }

    @Test(arguments: ["ÉLODIE Ö", "élodie ö", "Élodie Ö"])
    func `find a name in letters of any script, in either case`(text: String) async throws {
        let now = server.clock.date
        let names = ["Élodie Ötzi", "élodie özil", "Elodie Ott", "Èlodie Öz"]
        try await server.change { repositories in
            for (number, name) in names.enumerated() {
                try repositories.people.insert(
                    Person(
                        subject: Subject("s-\(number)"), username: Username(rawValue: "letters-\(number)"), name: name,
                        password: nil, created: now))
            }
        }
        let anna = try await server.administrator(as: .helpdesk)
        var query = Form()
        query["q"] = text
        let found = try await anna.get("admin/people?\(query.encoded)").people
        #expect(found == ["/admin/people/person?subject=s-0", "/admin/people/person?subject=s-1"])
    }

    @Test func `show a page of them after the other, by key`() async throws {
        try await addCrowd(AdminView.pageLength + 2)
        let anna = try await server.administrator(as: .auditor)
        let first = try await anna.get("admin/people?q=crowd-")
        #expect(first.people.count == AdminView.pageLength)
        let more = try #require(
            Markup(first.text).all("a").compactMap { $0.attributes["href"] }.first { $0.contains("after=") })
        let second = try await anna.get(String(more.replacing("&amp;", with: "&").dropFirst()))
        #expect(
            second.people
                == ["/admin/people/person?subject=s-crowd-1050", "/admin/people/person?subject=s-crowd-1051"])
    }

    @Test func `tell what one has, and offer what a role may do to them`() async throws {
        _ = try await server.signedIn(.tv)
        let helper = try await server.administrator(.bert, as: .helpdesk)
        let anna = AdminAddress.of("admin/people/person", ["subject": TestPerson.anna.subject.rawValue])
        let page = try await helper.get(anna)
        #expect(page.status == .ok && page.text.contains("anna"))
        #expect(page.text.contains("Sign out everywhere") && page.text.contains("/admin/people/reset-password"))
        #expect(!page.text.contains("/admin/people/role") && !page.text.contains("/admin/people/remove-factors"))
        #expect(!page.text.contains("/admin/audit"))
        // Their own account, and that of anybody with a role, is only read.
        #expect(try await !helper.get(onePage).text.contains("/admin/people/lock"))
        try await server.promote(.anna, to: .auditor)
        #expect(try await !helper.get(anna).text.contains("/admin/people/lock"))
        #expect(try await helper.get("admin/people/person?subject=nobody").status == .notFound)
        #expect(try await helper.get("admin/people/person").status == .notFound)
    }

    @Test func `lock and unlock after a question, and say so`() async throws {
        let anna = try await server.administrator(as: .helpdesk)
        let question = try await anna.get("admin/people/lock?subject=\(bert)")
        #expect(question.text.contains("Lock this account?") && question.field("subject") == bert.rawValue)
        let locked = try await anna.post("admin/people/lock", named)
        #expect(locked.location == PeoplePage.address(of: bert, after: .lock))
        #expect(try await anna.get("\(onePage)&done=lock").text.contains("The account is locked."))
        #expect(try await server.people().find(bert)?.standing == .locked)
        #expect(try await anna.get("admin/people/lock?subject=\(bert)").status == .forbidden)
        #expect(try await anna.post("admin/people/unlock", named).status == .seeOther)
        #expect(try await server.people().find(bert)?.standing == .active)
    }

    @Test func `tell an account that will be removed from one that is locked`() async throws {
        let due = server.clock.date + 86_400
        try await server.change(.bert) { $0.leave(at: due) }
        let anna = try await server.administrator(as: .helpdesk)
        for path in ["admin/people?q=bert", onePage] {
            let page = try await anna.get(path).text
            #expect(page.contains("Will be removed") && !page.contains("Locked"), "\(path)")
        }
        #expect(try await anna.get(onePage).text.contains(due.formatted(.iso8601)))
    }

    @Test func `sign out, remove factors and give roles`() async throws {
        try await server.enrollOneTimePasswords(of: .bert)
        let browser = try await server.browser(of: .anna)
        let anna = try await server.administrator()
        #expect(try await anna.post("admin/people/sign-out", named).status == .seeOther)
        #expect(try await browser.get("account").status == .ok)
        #expect(try await anna.post("admin/people/remove-factors", named).status == .seeOther)
        #expect(try await server.rows(of: "one_time_passwords") == 0)
        let role = try await anna.change(
            "admin/people/role", ["subject": bert.rawValue, "role": "helpdesk"], shownBy: onePage)
        #expect(role.status == .seeOther)
        #expect(try await server.people().find(bert)?.role == .helpdesk)
        #expect(try await anna.post("admin/people/role", named).status == .forbidden)
        for act in [AuditAct.personSignedOut, .personFactorsRemoved, .personMadeAdministrator] {
            #expect(try await server.audited(act).map(\.subject) == [bert], "\(act)")
        }
    }

    @Test func `change what apps learn of one, and nothing that was not changed in the form`() async throws {
        let anna = try await server.administrator()
        let before = try #require(try await server.people().find(bert))
        var form: Form = ["subject": bert.rawValue]
        let draft = PersonDraft(of: before)
        for field in draft.fields { form[field.fieldName] = field.fieldValue }
        let page = try await anna.get(onePage)
        #expect(PersonDraft.Field.allCases.allSatisfy { page.text.contains("name=\"\($0.rawValue)\"") })
        let path = "admin/people/change"
        #expect(try await anna.change(path, form, shownBy: onePage).status == .seeOther)
        #expect(try await server.people().find(bert) == before)
        form["locale"] = "de-AT"
        form["attribute"] = "department=Sales\r\nroom=1"
        let changed = try await anna.change(path, form, shownBy: onePage)
        #expect(changed.location == "/\(onePage)&done=change")
        let after = try #require(try await server.people().find(bert))
        #expect(after.profile.locale == "de-AT" && after.email == before.email)
        #expect(after.isEmailVerified == before.isEmailVerified)
        #expect(after.profile.attributes == [AttributeName("department"): "Sales", AttributeName("room"): "1"])
        form["attribute"] = "room=2"
        _ = try await anna.change(path, form, shownBy: onePage)
        #expect(try await server.people().find(bert)?.profile.attributes == [AttributeName("room"): "2"])
        form["email"] = nil
        _ = try await anna.change(path, form, shownBy: onePage)
        #expect(try await server.people().find(bert)?.email == nil)
        form["zoneinfo"] = "Vienna"
        let refused = try await anna.change(path, form, shownBy: onePage)
        #expect(refused.status == .unprocessableContent && refused.text.contains("not Vienna."))
        #expect(refused.field("zoneinfo") == "Vienna" && refused.field("locale") == "de-AT")
        let entries = try await server.audited(.personChanged)
        #expect(entries.map(\.by) == Array(repeating: .administrator, count: before.email == nil ? 2 : 3))
    }

    @Test func `give one an address that is verified where the administrator says so, and that nobody else has`()
        async throws
    {
        let anna = try await server.administrator()
        let path = "admin/people/change"
        var form: Form = ["subject": bert.rawValue, "name": "Bert", "email": "new@example.org"]
        #expect(try await anna.get(onePage).text.contains("a new one is not verified"))
        #expect(try await anna.change(path, form, shownBy: onePage).status == .seeOther)
        let unknown = try #require(try await server.people().find(bert))
        #expect(unknown.email == "new@example.org" && !unknown.isEmailVerified)
        form["vouched"] = "yes"
        #expect(try await anna.change(path, form, shownBy: onePage).status == .seeOther)
        #expect(try await server.people().find(bert)?.isEmailVerified == true)
        // The next form says nothing of the address.
        form["vouched"] = nil
        form["name"] = "Bert Ö"
        #expect(try await anna.change(path, form, shownBy: onePage).status == .seeOther)
        let named = try #require(try await server.people().find(bert))
        #expect(named.isEmailVerified && named.name == "Bert Ö")
        form["email"] = "ANNA@example.org"
        let taken = try await anna.change(path, form, shownBy: onePage)
        #expect(taken.status == .unprocessableContent && taken.field("email") == "ANNA@example.org")
        #expect(taken.text.contains("Somebody has this e-mail address already."))
        #expect(try await server.people().find(bert) == named)
        let invited = try await anna.post("admin/people/invite", ["email": "Anna@example.org"])
        #expect(invited.status == .unprocessableContent && invited.field("email") == "Anna@example.org")
    }

    @Test func `remove one for good after a question, and say so on the list`() async throws {
        let anna = try await server.administrator()
        #expect(try await anna.get("admin/people/remove?\(named.encoded)").text.contains("Remove this account?"))
        let removed = try await anna.post("admin/people/remove", named)
        #expect(removed.location == "/admin/people?done=remove")
        #expect(try await anna.get("admin/people?done=remove").text.contains("The account is removed."))
        #expect(try await server.people().find(bert) == nil)
        #expect(try await anna.get(onePage).status == .notFound)
        let entries = try await server.audited(.personRemoved)
        #expect(entries.map(\.subject) == [bert] && entries.map(\.by) == [.administrator])
        let helpdesk = try await server.administrator(as: .helpdesk)
        #expect(try await helpdesk.post("admin/people/remove", named).status == .forbidden)
    }

    @Test(ServerTrait.sendingMails) func `offer the link by mail first, and say why the own account has no acts`()
        async throws
    {
        let server = TestServer.current
        let anna = try await server.administrator()
        let own = try await anna.get(String(PeoplePage.address(of: TestPerson.anna.subject).dropFirst())).text
        #expect(own.contains("This is your own account"))
        #expect(try await !anna.get(onePage).text.contains("This is your own account"))
        let list = try await anna.get("admin/people").text
        #expect(list.contains("<option value=\"mail\" selected>By mail</option>"))
        #expect(list.contains("<option value=\"show\">Show it to me</option>"))
    }

    @Test func `refuse an act on the own account`() async throws {
        let anna = try await server.administrator()
        let answer = try await anna.post(
            "admin/people/role", ["subject": TestPerson.anna.subject.rawValue, "role": "user"])
        #expect(answer.status == .unprocessableContent && answer.text.contains("This is your own account"))
        #expect(try await server.people().find(TestPerson.anna.subject)?.role == .operator)
    }

    @Test func `show a link for a new password once, which works`() async throws {
        let anna = try await server.administrator(as: .helpdesk)
        let answer = try await anna.post("admin/people/reset-password", named)
        let secret = try #require(answer.text.firstMatch(of: /link#([\w-]{43})/)?.1)
        let digest = ActionLinkSecret(revealing: String(secret)).digest
        let link = try #require(try await server.store.read { try $0.actionLinks.find(digest) })
        #expect(link.subject == bert && link.act == .passwordReset)
        #expect(link.expires == server.clock.date + ActionLinks.resetLifetime)
        _ = try await server.people().lock(bert)
        #expect(try await anna.post("admin/people/reset-password", named).text.contains("Unlock it first."))
    }

    @Test func `invite somebody by a link, at an address that nobody has`() async throws {
        let anna = try await server.administrator()
        let answer = try await anna.post("admin/people/invite", ["email": "new@example.org"])
        let secret = try #require(answer.text.firstMatch(of: /link#([\w-]{43})/)?.1)
        let digest = ActionLinkSecret(revealing: String(secret)).digest
        let link = try #require(try await server.store.read { try $0.actionLinks.find(digest) })
        #expect(link.act == .invitation(EmailAddress(parsing: "new@example.org")))
        let refused = try await anna.post("admin/people/invite", ["email": "no address"])
        #expect(refused.status == .unprocessableContent && refused.text.contains("That is no e-mail address."))
        #expect(refused.field("email") == "no address")
    }

    @Test func `list the invitations that were not used, and withdraw one after a question`() async throws {
        let anna = try await server.administrator()
        #expect(try await !anna.get("admin/people").text.contains("Invitations that were not used"))
        for address in ["new@example.org", ""] { _ = try await anna.post("admin/people/invite", ["email": address]) }
        let waiting = try await server.people().invitations(after: nil, limit: 9)
        let link = try #require(waiting.first { $0.invitedAddress != nil })
        let page = try await anna.get("admin/people")
        #expect(page.text.contains("new@example.org") && page.text.contains("Without an e-mail address"))
        let form: Form = ["invitation": link.subject.rawValue]
        let path = "admin/people/withdraw"
        #expect(Markup(page.text).links.contains("/\(path)?\(form.encoded)"))
        #expect(try await !anna.get("admin/people?q=bert").text.contains("new@example.org"))
        let question = try await anna.get("\(path)?\(form.encoded)")
        #expect(question.text.contains("Withdraw this invitation?") && question.text.contains("new@example.org"))
        #expect(try await anna.post(path, form).location == "/admin/people?done=withdrawn")
        let after = try await anna.get("admin/people?done=withdrawn")
        #expect(after.text.contains("The invitation is withdrawn.") && !after.text.contains("new@example.org"))
        #expect(try await server.store.read { try $0.actionLinks.find(link.digest) } == nil)
        let removed = try await server.audited(.invitationRemoved)
        #expect(removed.map(\.detail) == ["new@example.org; by \(TestPerson.anna.subject)"])
        #expect(removed.map(\.subject) == [link.subject])
        #expect(try await server.audited(.personInvited).contains { $0.subject == link.subject })
        #expect(try await anna.get("\(path)?\(form.encoded)").status == .notFound)
        #expect(try await anna.post(path, form).status == .notFound)
    }

    @Test(arguments: [true, false])
    func `list them a page after the other, to each role, and let operators alone withdraw them`(hasEnded: Bool)
        async throws
    {
        let now = server.clock.date
        try await server.change { repositories in
            for number in 0..<AdminView.pageLength + 2 {
                try repositories.actionLinks.insert(
                    ActionLink(
                        digest: SecretDigest(of: "\(number)"), to: .invitation(nil),
                        for: Subject("invited-\(1000 + number)"), created: now, expires: now + 600))
            }
        }
        let bert = try await server.administrator(.bert, as: .helpdesk)
        let first = try await bert.get("admin/people")
        let last = 1000 + AdminView.pageLength - 1
        let more = try #require(Markup(first.text).links.first { $0.contains("invitation=invited-\(last)") })
        #expect(!first.text.contains("/admin/people/withdraw"))
        let anna = try await server.administrator()
        if hasEnded { #expect(try await server.people().withdrawInvitation(of: Subject("invited-\(last)"))) }
        let second = try await anna.get(String(more.dropFirst()))
        let offered = Markup(second.text).links.filter { $0.hasPrefix("/admin/people/withdraw") }
        #expect(offered == [1, 2].map { "/admin/people/withdraw?invitation=invited-\(last + $0)" })
    }

    @Test func `show the apps that one muted, and let one ask again`() async throws {
        let anna = try await server.administrator()
        #expect(try await !anna.get(onePage).text.contains("Apps that may not ask"))
        let (client, now) = (TestClients.console.id, server.clock.date)
        let (reporter, mute) = (bert, Mute(subject: bert, client: client, cause: .reported, since: now))
        try await server.change { try Mutes($0).add(mute) }
        let page = try await anna.get(onePage)
        #expect(page.text.contains("Apps that may not ask") && page.text.contains("A request was reported"))
        let form: Form = ["subject": reporter.rawValue, "client": client.rawValue]
        #expect(try await anna.post("admin/people/lift-mute", form).location == "/\(onePage)&done=lift-mute")
        #expect(try await anna.get("\(onePage)&done=lift-mute").text.contains("may ask the person again."))
        #expect(try await server.store.read { try $0.mutes.find(reporter, client) } == nil)
        let lifted = try await server.audited(.muteLifted)
        #expect(lifted.map(\.by) == [.administrator] && lifted.map(\.client) == [client])
        #expect(lifted.map(\.detail) == ["by \(TestPerson.anna.subject)"])
        let helpdesk = try await server.administrator(as: .helpdesk)
        #expect(try await helpdesk.post("admin/people/lift-mute", form).status == .forbidden)
    }

    @Test func `revoke one device after a question`() async throws {
        let anna = try await server.administrator()
        var device = EnrolledDevice(
            id: DeviceRegistration.ID("d1"), dialect: .shared, subject: bert, signIn: nil, created: server.clock.date)
        device.rename("Bert’s phone")
        let enrolled = device
        try await server.change { try $0.devices.insert(enrolled) }
        #expect(try await anna.get(onePage).text.contains("Bert’s phone"))
        let question = try await anna.get("admin/people/revoke-device?subject=\(bert)&device=d1")
        #expect(question.text.contains("Revoke this device?") && question.field("device") == "d1")
        #expect(try await anna.get("admin/people/revoke-device?subject=\(bert)&device=d2").status == .notFound)
        let form: Form = ["subject": bert.rawValue, "device": "d1"]
        #expect(try await anna.post("admin/people/revoke-device", form).status == .seeOther)
        #expect(try await server.rows(of: "devices") == 0)
        #expect(try await server.audited(.deviceRevoked).map(\.detail) == ["device d1; by \(TestPerson.anna.subject)"])
        #expect(try await server.audited(.deviceRemoved).isEmpty)
        let audit = try await anna.get("admin/audit?act=\(AuditAct.deviceRevoked.rawValue)").text
        #expect(audit.contains("device d1; by anna") && !audit.contains("by \(TestPerson.anna.subject)"))
        #expect(audit.contains("An administrator at these pages"))
    }

    @Test func `say in words how a browser was signed in`() async throws {
        _ = try await server.browser(of: .bert)
        let page = try await server.administrator(as: .helpdesk).get(onePage).text
        #expect(page.contains("<bdi>the password</bdi>") && !page.contains("account_password"))
    }
}

extension TestResponse {
    /// The addresses of the people on the page, each once.
    fileprivate var people: [String] {
        var seen: [String] = []
        for tag in Markup(text).all("a") {
            guard let address = tag.attributes["href"], address.hasPrefix("/admin/people/person"),
                !seen.contains(address)
            else { continue }
            seen.append(address)
        }
        return seen
    }
}
