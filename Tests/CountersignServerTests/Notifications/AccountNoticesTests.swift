import Countersign
import CountersignSQLite
import CountersignStorage
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A notice about an account", ServerTrait.sendingMails)
struct AccountNoticesTests {
    private let server = TestServer.current

    /// A phone that receives push messages.
    private func addPhone() async throws {
        try await server.authenticator().registerForPush()
    }

    private func changePassword(in browser: TestBrowser) async throws {
        #expect(try await browser.post("account/password", .newPassword(after: .anna)).status == .seeOther)
    }

    @Test func `of a changed password is mailed to a person without a phone`() async throws {
        try await changePassword(in: try await server.browser(of: .anna))
        let mail = try #require(try await server.mails().first)
        #expect(mail.to == Mailbox(EmailAddress("anna@example.org"), name: TestPerson.anna.name))
        #expect(mail.content.subject == "Your password was changed")
        #expect(mail.link == "account")
    }

    /// The waiting push messages.
    private func pushes() async throws -> Int {
        try await server.dueMessages().count { if case .push = $0.content { true } else { false } }
    }

    @Test func `of a changed password goes to the phone, which may be an attacker's, and by mail`() async throws {
        try await addPhone()
        let anna = try await server.browser(of: .anna)
        let (mails, pushes) = (try await server.mails().count, try await pushes())
        try await changePassword(in: anna)
        #expect(try await self.pushes() == pushes + 1)
        #expect(try await server.mails().count == mails + 1)
    }

    @Test func `of another address goes to the phone, too`() async throws {
        try await addPhone()
        let anna = try await server.browser(of: .anna)
        _ = try await anna.post("account/email", ["address": "new@example.org"])
        let code = try #require(try await server.mails().compactMap(\.code).last)
        let pushes = try await pushes()
        #expect(try await anna.post("account/email/verify", ["code": code]).status == .seeOther)
        #expect(try await self.pushes() == pushes + 1)
    }

    @Test(arguments: [("new@example.org", true), ("new@example.org", false), ("ANNA@example.org", true)])
    func `of an address that an operator changed is mailed to the earlier one, and goes to the phone, too`(
        address: String, isVerified: Bool
    ) async throws {
        try await addPhone()
        let isOther = address != "ANNA@example.org"
        let (before, pushes) = (try await server.mails().count, try await pushes())
        let notices = AccountNotices(by: CodeMint(drawingFrom: .system), sendsMail: true)
        let changed = try await server.people().change(TestPerson.anna.subject, telling: notices) {
            $0.changeEmail(to: address, isVerified: isVerified)
        }
        #expect(changed?.email == address)
        #expect(try await self.pushes() == pushes + (isOther ? 1 : 0))
        let mails = try await server.mails().dropFirst(before)
        #expect(mails.map(\.to.address) == (isOther ? [EmailAddress("anna@example.org")] : []))
        #expect(mails.allSatisfy { $0.content.subject == "Your e-mail address was changed" })
    }

    @Test func `goes to no address that is not verified`() async throws {
        try await server.change(.anna) { $0.changeEmail(to: "other@example.org") }
        try await changePassword(in: try await server.browser(of: .anna))
        #expect(try await server.mails().isEmpty)
    }

    @Test func `of a screen that a code signed in names it`() async throws {
        _ = try await server.signedIn(.tv)
        let mail = try #require(try await server.mails().first)
        #expect(mail.content.subject == "A new device on your account")
        let name = try #require(try await server.store.read { try $0.clients.find(TestClients.tv.id)?.name })
        #expect(mail.content.text.contains("\(name) was added to your account"))
    }

    /// Signs Anna in on a screen that adds this to its request.
    @discardableResult
    private func signIn(
        _ server: TestServer,
        _ form: Form,
        at address: String = TestScreenByLink.home,
        session: SessionTerm? = nil
    ) async throws -> TokenResponse {
        let full = try TestClients.tv.form.with(form)
        let answer = try await server.post(
            server.path("device_authorization"), full, headers: [.xForwardedFor: address])
        let codes = try answer.json(DeviceAuthorizationResponse.self)
        try await server.browser(of: .anna).decide("approve", codes, session: session)
        return try await server.poll(codes).json(TokenResponse.self)
    }

    @Test func `of a screen that remembers the person already is not mailed`() async throws {
        let first = try await signIn(server, ["scope": "openid"], session: .remembered)
        #expect(try await server.mails().count == 1)
        let hint = try #require(first.idToken).revealed
        try await signIn(server, ["scope": "openid", "id_token_hint": hint])
        #expect(try await server.mails().count == 1)
        try await signIn(server, ["scope": "openid"], session: .remembered)
        #expect(try await server.mails().count == 2)
    }

    @Test func `of a screen is mailed once for its name and network, and each time without a name`() async throws {
        try await TestScreenByLink.behindProxy(configuring: { $0.delivery.mailGateway = TestMailGateway() }) { server in
            for _ in 1...2 { try await signIn(server, ["device_name": "Attic"]) }
            #expect(try await server.mails().count == 1)
            try await signIn(server, ["device_name": "Attic"], at: "203.0.113.9")
            #expect(try await server.mails().count == 2)
            try await signIn(server, ["device_name": "Cellar"])
            #expect(try await server.mails().count == 3)
            for _ in 1...2 { try await signIn(server, [:]) }
            #expect(try await server.mails().count == 5)
        }
    }

    @Test func `of an authenticator is mailed, unless another one can be told`() async throws {
        _ = try await server.authenticator()
        let subjects = try await server.mails().map(\.content.subject)
        #expect(subjects == ["A new device on your account"])
        try await addPhone()
        let count = try await server.mails().count
        _ = try await server.authenticator()
        #expect(try await server.mails().count == count)
    }

    @Test func `of removed one-time passwords says what signs in now`() async throws {
        let now = server.clock.date
        let notices = AccountNotices(by: CodeMint(drawingFrom: .system), sendsMail: true)
        try await server.change { repositories in
            for kind in [MailMessage.Kind.passkeyRemoved, .oneTimePasswordsRemoved, .factorsRemoved] {
                try notices.tell(kind, to: TestPerson.anna.subject, at: now, in: repositories)
            }
        }
        let subjects = Set(try await server.mails().map(\.content.subject))
        #expect(
            subjects == [
                "A passkey was removed", "One-time passwords are off",
                "Your passkeys and one-time passwords were removed",
            ])
    }

    @Test(.server) func `is not queued without a gateway for mails`() async throws {
        let server = TestServer.current
        _ = try await server.signedIn(.tv)
        #expect(try await server.rows(of: "deliveries") == 0)
    }
}
