import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The page for deleting one's own account", ServerTrait.sendingMails)
struct AccountDeletionPageTests {
    private let server = TestServer.current
    private static let days: TimeInterval = 14 * 86_400

    private func person() async throws -> Person? {
        try await server.store.read { try $0.people.find(TestPerson.anna.subject) }
    }

    /// A browser where Anna signed in, and asked for the removal.
    private func asked() async throws -> (browser: TestBrowser, answer: TestResponse) {
        let anna = try await server.browser(of: .anna)
        return (anna, try await anna.post("account/deletion", [:]))
    }

    /// Signs Anna in while her account is marked; returns the browser, and the address that it is sent to.
    private func signInAgain(returningTo target: String? = nil) async throws -> TestBrowser {
        let stranger = try await server.newBrowser()
        var form: Form = ["username": "anna", "password": TestPerson.anna.password.revealed]
        form["return_to"] = target
        let answer = try await stranger.post("login", form)
        let cookie = try #require(answer.givenCookie, "\(answer.text)")
        let arrived = try #require(answer.location)
        let login = try await server.get(arrived, headers: [.cookie: cookie])
        let deletion = try await server.get(try #require(login.location), headers: [.cookie: cookie])
        let page = try await server.get(try #require(deletion.location), headers: [.cookie: cookie])
        #expect(page.text.contains("Keep my account"), "\(page.text)")
        return TestBrowser(server: server, cookie: cookie, formToken: try #require(page.field("form_token")))
    }

    // MARK: Marking

    @Test func `says what is lost, and needs a recent sign-in`() async throws {
        let anna = try await server.browser(of: .anna)
        let page = try await anna.get("account/deletion")
        #expect(page.text.contains("14 days") && page.text.contains("signed out everywhere"))
        server.clock.advance(by: .seconds(301))
        for answer in [try await anna.get("account/deletion"), try await anna.post("account/deletion", [:])] {
            #expect(answer.location?.hasPrefix("/login?again=recent") == true)
        }
        #expect(try await person()?.standing == .active)
    }

    @Test func `marks the account, tells the person, and ends what they have`() async throws {
        let tokens = try await server.tokens()
        let (anna, answer) = try await asked()
        #expect(answer.status == .ok && answer.text.contains("Your account will be removed"))
        let marked = try #require(try await person())
        #expect(marked.standing == .leaving && marked.removal == server.clock.date + Self.days)
        #expect(try await !server.honours(tokens.accessToken))
        #expect(try await server.refresh(tokens.refreshToken).error == .invalidGrant)
        #expect(try await anna.get("account").location?.hasPrefix("/login") == true)
        let mails = try await server.mails().filter { $0.content.subject == "Your account will be removed" }
        #expect(mails.map(\.to.address) == [EmailAddress("anna@example.org")])
        let day = try #require(marked.removal?.formatted(.iso8601).prefix(10))
        #expect(mails.allSatisfy { $0.content.text.contains(day) })
        #expect(try await server.audited(.removalRequested).map(\.by) == [.person])
    }

    @Test func `is the person's own act in the audit, and the removal the server's`() async throws {
        let anna = try await server.browser(of: .anna)
        try await anna.decide("approve", try await server.ask())
        _ = try await anna.post("account/deletion", [:])
        #expect(try await server.audited(.withdrawn).map(\.by) == [.person])
        server.clock.advance(by: .seconds(Self.days + 1))
        try await server.maintenance().sweep()
        #expect(try await server.audited(.personRemoved).map(\.by) == [.server])
    }

    @Test func `takes the mails to the person along`() async throws {
        _ = try await asked()
        #expect(try await server.rows(of: "deliveries") > 0)
        let now = server.clock.date
        try await server.change { try AccountRemoval($0).remove(TestPerson.anna.subject, at: now) }
        #expect(try await server.rows(of: "deliveries") == 0)
    }

    @Test func `is shown to administrators, and no wrong password counts as one of a locked account`() async throws {
        _ = try await asked()
        _ = try await server.newBrowser().post("login", ["username": "anna", "password": "wrong"])
        #expect(try await server.audited(.loginFailed).map(\.detail) == [nil])
        let helper = try await server.administrator(.bert, as: .helpdesk)
        let address = String(PeoplePage.address(of: TestPerson.anna.subject).dropFirst())
        let page = try await helper.get(address)
        #expect(page.text.contains("Will be removed") && !page.text.contains("Locked"), "\(page.text)")
    }

    @Test func `shows the time of the removal in the zone of the person, or of their browser`() async throws {
        let answer = try await asked().answer
        #expect(answer.text.contains(" UTC</time>") && answer.text.contains("/assets/times.js?v="))
        try await server.change { repositories in
            var anna = try #require(try repositories.people.find(TestPerson.anna.subject))
            anna.profile.zoneInfo = "Asia/Tokyo"
            try repositories.people.update(anna)
        }
        let page = try await signInAgain().get("account/deletion")
        #expect(page.text.contains("</time>") && !page.text.contains("UTC</time>"))
        #expect(!page.text.contains("/assets/times.js?v="))
    }

    @Test func `is refused to the last operator, until there is another one`() async throws {
        let anna = try await server.administrator(.anna)
        try await server.promote(.bert)
        try await server.lock(.bert)
        for answer in [try await anna.get("account/deletion"), try await anna.post("account/deletion", [:])] {
            #expect(answer.status == .conflict && answer.text.contains("Make another operator first"))
        }
        #expect(try await person()?.standing == .active)
        try await server.lock(.bert, .active)
        #expect(try await anna.get("account/deletion").status == .ok)
        #expect(try await anna.post("account/deletion", [:]).status == .ok)
        #expect(try await person()?.standing == .leaving)
    }

    // MARK: Keeping

    @Test func `offers at each sign-in to keep the account, and nothing else`() async throws {
        _ = try await asked()
        let anna = try await signInAgain()
        for page in ["account", "account/password", "account/export", "account/passkeys/add"] {
            #expect(try await anna.get(page).location?.hasPrefix("/login") == true, "\(page)")
        }
        #expect(try await anna.post("account/deletion", [:]).status != .ok)
        let codes = try await server.ask()
        #expect(try await anna.take(codes).status != .ok)
        #expect(try await person()?.standing == .leaving)
    }

    @Test func `keeps the account, and goes on to the page that was asked for`() async throws {
        _ = try await asked()
        let anna = try await signInAgain(returningTo: "/account/password")
        let page = try await anna.get("account/deletion?return_to=/account/password")
        #expect(page.field("return_to") == "/account/password")
        let kept = try await anna.post("account/deletion/keep", ["return_to": "/account/password"])
        #expect(kept.location == "/account/password")
        let stays = try await person()
        #expect(stays?.standing == .active && stays?.removal == nil)
        #expect(try await anna.get("account").status == .ok)
        #expect(try await server.audited(.removalCancelled).map(\.by) == [.person])
        let mails = try await server.mails().filter { $0.content.subject == "Your account is kept" }
        #expect(mails.map(\.to.address) == [EmailAddress("anna@example.org")])
        server.clock.advance(by: .seconds(Self.days + 1))
        try await server.maintenance().sweep()
        #expect(try await person() != nil)
    }

    @Test func `keeps nothing for somebody else, or for a stranger`() async throws {
        _ = try await asked()
        let bert = try await server.browser(of: .bert)
        _ = try await bert.post("account/deletion/keep", [:])
        _ = try await server.newBrowser().post("account/deletion/keep", [:])
        #expect(try await person()?.standing == .leaving)
        let leads = try await server.newBrowser().get("account/deletion")
        #expect(leads.location?.hasPrefix("/login") == true)
    }

    @Test func `keeps nothing in a browser that an app signed out`() async throws {
        _ = try await asked()
        let anna = try await signInAgain()
        #expect(try await anna.get("end_session").location == "/login")
        _ = try await anna.post("account/deletion/keep", [:])
        #expect(try await person()?.standing == .leaving)
    }

    @Test func `leads to no page of another site`() async throws {
        _ = try await asked()
        let anna = try await signInAgain()
        let kept = try await anna.post("account/deletion/keep", ["return_to": "//evil.example"])
        #expect(kept.location == "/account")
    }

    // MARK: Removing

    @Test func `is followed by the removal, once it is due`() async throws {
        _ = try await asked()
        server.clock.advance(by: .seconds(Self.days - 1))
        try await server.maintenance().sweep()
        #expect(try await person() != nil)
        server.clock.advance(by: .seconds(1))
        try await server.maintenance().sweep()
        #expect(try await person() == nil)
        let removed = try await server.audited(.personRemoved)
        #expect(removed.map(\.by) == [.server] && removed.map(\.subject) == [TestPerson.anna.subject])
    }

    @Test func `is followed by the removal of others, where one account is damaged`() async throws {
        _ = try await asked()
        let bert = try await server.browser(of: .bert)
        _ = try await bert.post("account/deletion", [:])
        try await server.tamper("UPDATE people SET attributes = 'damaged' WHERE subject = 'subject-of-anna'")
        server.clock.advance(by: .seconds(Self.days + 1))
        try await server.maintenance().sweep()
        #expect(try await server.audited(.personRemoved).map(\.subject) == [TestPerson.bert.subject])
        try await server.tamper("UPDATE people SET attributes = NULL WHERE subject = 'subject-of-anna'")
        try await server.maintenance().sweep()
        #expect(try await person() == nil)
    }

    @Test func `leaves no link, not even a used one`() async throws {
        _ = try await asked()
        let now = server.clock.date
        try await server.change { repositories in
            try repositories.actionLinks.insert(
                ActionLink(
                    digest: SecretDigest(of: "link"), to: .passwordReset, for: TestPerson.anna.subject, created: now,
                    expires: now + 2 * Self.days, used: now))
        }
        server.clock.advance(by: .seconds(Self.days + 1))
        try await server.maintenance().sweep()
        #expect(try await person() == nil)
        #expect(try await server.rows(of: "action_links") == 0)
    }

    @Test func `is undone by an operator who unlocks the account, or locks it`() async throws {
        for standing in [Policy.Standing.active, .locked] {
            try await server.lock(.anna, .active)
            _ = try await asked()
            try await server.lock(.anna, standing)
            server.clock.advance(by: .seconds(Self.days + 1))
            try await server.maintenance().sweep()
            let stays = try await person()
            #expect(stays?.standing == standing && stays?.removal == nil)
        }
    }
}
