import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The page about browsers that are signed in", .server)
struct SessionsPageTests {
    let server = TestServer.current
    private let ending = "admin/sessions/end"

    private func form(of session: BrowserSession) -> Form {
        ["subject": session.subject.rawValue, "session": session.id.rawValue]
    }

    /// The session of a person who signed in at one browser.
    private func session(of person: TestPerson) async throws -> BrowserSession {
        try #require(try await server.store.read { try $0.browserSessions.all(of: person.subject) }.first)
    }

    @Test func `lists them by person, and signs one out after a question`() async throws {
        let bert = try await server.browser(of: .bert)
        let anna = try await server.administrator()
        let (hers, his) = (try await session(of: .anna), try await session(of: .bert))
        let page = try await anna.get("admin/sessions")
        let links = Markup(page.text).links
        #expect(page.text.contains("Browsers that are signed in") && page.text.contains("browser.signed_in"))
        #expect(links.contains(PeoplePage.address(of: his.subject)))
        #expect(links.contains("/\(ending)?\(form(of: his).encoded)"))
        // An own session is ended on the page of the account.
        #expect(!links.contains("/\(ending)?\(form(of: hers).encoded)"))

        let question = try await anna.get("\(ending)?\(form(of: his).encoded)")
        #expect(question.text.contains("Sign this browser out?") && question.field("session") == his.id.rawValue)
        #expect(try await anna.post(ending, form(of: his)).location == "/admin/sessions?done=ended")
        #expect(try await anna.get("admin/sessions?done=ended").text.contains("The browser is signed out."))
        #expect(try await bert.get("account").status == .seeOther)
        let entries = try await server.audited(.loggedOut).filter { $0.subject == his.subject }
        #expect(entries.map(\.by) == [.administrator])
        #expect(entries.map(\.detail) == ["one browser; by \(TestPerson.anna.subject)"])
        #expect(try await anna.get("\(ending)?\(form(of: his).encoded)").status == .notFound)
        // It is signed out already.
        #expect(try await anna.post(ending, form(of: his)).status == .seeOther)
        let own = try await anna.post(ending, form(of: hers))
        #expect(own.status == .unprocessableContent && own.text.contains("This is your own account"))
    }

    @Test func `lists those of one person, who may be nobody`() async throws {
        _ = try await server.browser(of: .bert)
        let anna = try await server.administrator()
        let found = Markup(try await anna.get("admin/sessions?person=bert").text).links
        #expect(found.contains(PeoplePage.address(of: TestPerson.bert.subject)))
        #expect(!found.contains(PeoplePage.address(of: TestPerson.anna.subject)))
        let nobody = try await anna.get("admin/sessions?person=nobody")
        #expect(nobody.text.contains("There is nobody of that name.") && nobody.text.contains("None."))
    }

    /// Stores one session more than a page and a line, which end one after the other.
    private func addCrowd() async throws {
        let (bert, now) = (TestPerson.bert.subject, server.clock.date)
        try await server.change { repositories in
            for number in 0..<AdminView.pageLength + 2 {
                let name = "crowd-\(1_000 + number)"
                // They end before the session of the auditor.
                try repositories.browserSessions.insert(
                    BrowserSession(
                        cookie: SecretDigest(of: name), id: ApproverID(name), subject: bert, authenticated: now,
                        expires: now + 600 - Double(number), lastUsed: now))
            }
        }
    }

    @Test(arguments: ["", "bert"], [true, false])
    func `shows a page of them after the other, by key, although its last one has ended`(
        person: String, hasEnded: Bool
    ) async throws {
        let anna = try await server.administrator(as: .auditor)
        try await addCrowd()
        let bert = TestPerson.bert.subject
        let first = Markup(try await anna.get("admin/sessions?person=\(person)").text).links
        let more = try #require(first.first { $0.contains("after=") })
        if hasEnded {
            let name = try #require(more.firstMatch(of: /session=(crowd-[0-9]+)/)?.1)
            let cookie = SecretDigest(of: String(name))
            try await server.change { try $0.browserSessions.remove(cookie) }
        }
        let second = try await anna.get(String(more.dropFirst()))
        // The session of the auditor is on the first page of all.
        let left = person.isEmpty ? 3 : 2
        let address = PeoplePage.address(of: bert)
        #expect(Markup(second.text).links.filter { $0 == address }.count == left)
        #expect(!second.text.contains("browser.signed_in") && !second.text.contains("/\(ending)"))
    }

    @Test(arguments: ["nan", "inf", "-1e400", "x"])
    func `begins with the first one where the address names no position`(after: String) async throws {
        let anna = try await server.administrator(as: .auditor)
        let page = try await anna.get("admin/sessions?after=\(after)&session=x")
        #expect(page.status == .ok && page.text.contains(PeoplePage.address(of: TestPerson.anna.subject)))
    }
}
