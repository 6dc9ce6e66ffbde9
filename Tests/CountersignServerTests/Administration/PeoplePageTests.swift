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
        let role = try await anna.post("admin/people/role", ["subject": bert.rawValue, "role": "helpdesk"])
        #expect(role.status == .seeOther)
        #expect(try await server.people().find(bert)?.role == .helpdesk)
        #expect(try await anna.post("admin/people/role", named).status == .forbidden)
        for act in [AuditAct.personSignedOut, .personFactorsRemoved, .personMadeAdministrator] {
            #expect(try await server.audited(act).map(\.subject) == [bert], "\(act)")
        }
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
