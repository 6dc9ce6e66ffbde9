import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("The people that administrators help", .server)
struct PersonRegistryTests {
    let server = TestServer.current
    private let bert = TestPerson.bert.subject

    @Test func `are found by name, and are not there without one`() async throws {
        #expect(try await server.people().find(PersonName("bert"))?.subject == bert)
        #expect(try await server.people().find(PersonName("nobody")) == nil)
        #expect(try await server.people().lock(Subject("nobody")) == nil)
    }

    @Test func `are locked and unlocked, and the audit names who did it`() async throws {
        let helper = try await server.administratorSession(as: .helpdesk)
        let browser = try await server.browser(of: .bert)
        #expect(try await server.people(for: helper).lock(bert)?.standing == .locked)
        #expect(try await browser.get("account").location?.hasPrefix("/login") == true)
        #expect(try await server.people(for: helper).unlock(bert, keepingDevices: true)?.standing == .active)
        for act in [AuditAct.personLocked, .personUnlocked] {
            let entry = try #require(try await server.audited(act).first)
            #expect(entry.by == .administrator && entry.subject == bert)
            #expect(entry.detail == "by \(TestPerson.anna.subject)")
        }
    }

    @Test func `are signed out everywhere, by a user of the command too`() async throws {
        let tokens = try await server.signedIn(.tv)
        let browser = try await server.browser(of: .anna)
        #expect(try await server.people().signOutEverywhere(TestPerson.anna.subject) != nil)
        #expect(try await !server.honours(tokens.accessToken))
        #expect(try await browser.get("account").location?.hasPrefix("/login") == true)
        let entry = try #require(try await server.audited(.personSignedOut).first)
        #expect(entry.by == .operator && entry.detail == nil)
    }

    @Test(arguments: [PersonRole.user, .auditor])
    func `are left alone by whoever has no right to help`(role: PersonRole) async throws {
        let people = server.people(for: try await server.administratorSession(as: role))
        await #expect(throws: Administrator.NotAdministratorError.self) { try await people.lock(bert) }
        await #expect(throws: Administrator.NotAdministratorError.self) { try await people.signOutEverywhere(bert) }
        await #expect(throws: Administrator.NotAdministratorError.self) {
            try await people.makeResetLink(for: bert, lasting: 3600, mailedBy: nil)
        }
        #expect(try await server.people().find(bert)?.standing == .active)
    }

    @Test func `keep their factors and roles before a helpdesk, which has no power over anybody with a role`()
        async throws
    {
        let people = server.people(for: try await server.administratorSession(as: .helpdesk))
        let notices = AccountNotices(by: CodeMint(drawingFrom: .system), sendsMail: false)
        await #expect(throws: Administrator.NotAdministratorError.self) {
            try await people.removeFactors(of: bert, telling: notices)
        }
        await #expect(throws: Administrator.NotAdministratorError.self) {
            try await people.assign(.operator, to: bert)
        }
        try await server.promote(.bert, to: .auditor)
        await #expect(throws: Administrator.NotAdministratorError.self) { try await people.lock(bert) }
        await #expect(throws: Administrator.NotAdministratorError.self) {
            try await people.makeResetLink(for: bert, lasting: 3600, mailedBy: nil)
        }
    }

    @Test func `are other people: an administrator does nothing to their own account`() async throws {
        let people = server.people(for: try await server.administratorSession(as: .operator))
        let anna = TestPerson.anna.subject
        await #expect(throws: PersonRegistry.ActError.ownAccount) { try await people.assign(.user, to: anna) }
        await #expect(throws: PersonRegistry.ActError.ownAccount) { try await people.lock(anna) }
        #expect(try await people.assign(.operator, to: bert)?.role == .operator)
        #expect(try await people.assign(.user, to: bert)?.role == .user)
        #expect(try await server.audited(.personMadeAdministrator).map(\.detail) == ["operator; by \(anna)"])
        #expect(try await server.audited(.personUnmadeAdministrator).map(\.subject) == [bert])
    }

    @Test func `stay as they are without an entry of the audit, where an act changes nothing`() async throws {
        for _ in 1...2 { #expect(try await server.people().unlock(bert, keepingDevices: false)?.isActive == true) }
        #expect(try await server.people().assign(.user, to: bert)?.role == .user)
        for _ in 1...2 { #expect(try await server.people().assign(.auditor, to: bert)?.role == .auditor) }
        #expect(try await server.audited(.personUnlocked).isEmpty)
        #expect(try await server.audited(.personUnmadeAdministrator).isEmpty)
        #expect(try await server.audited(.personMadeAdministrator).map(\.detail) == ["auditor"])
    }

    @Test(arguments: [AuditActor.operator, .administrator])
    func `lose a device by one act, the same by the command and on the page`(actor: AuditActor) async throws {
        _ = try await server.authenticator(of: .bert)
        let devices = try await server.store.read { [bert] in try $0.devices.all(of: bert) }
        let device = try #require(devices.first)
        let people =
            actor == .operator
            ? server.people() : server.people(for: try await server.administratorSession(as: .operator))
        _ = try await people.revoke(device.id, of: bert)
        #expect(try await server.rows(of: "devices") == 0)
        let revoked = try await server.audited(.deviceRevoked)
        #expect(revoked.map(\.by) == [actor] && revoked.map(\.client) == [TestApprover.app])
        #expect(try await server.audited(.deviceRemoved).isEmpty)
        #expect(try await server.audited(.signedOut).map(\.by) == [actor])
    }

    @Test func `get one link for a new password, unless they are locked or leave`() async throws {
        let made = try #require(try await server.people().makeResetLink(for: bert, lasting: 3600, mailedBy: nil))
        #expect(made.expires == server.clock.date + 3600 && made.subject == bert)
        let digest = made.secret.digest
        #expect(try await server.store.read { try $0.actionLinks.find(digest) }?.subject == bert)
        _ = try await server.people().lock(bert)
        await #expect(throws: PersonRegistry.ActError.locked(Username("bert"))) {
            try await server.people().makeResetLink(for: bert, lasting: 3600, mailedBy: nil)
        }
        try await server.lock(.bert, .leaving)
        await #expect(throws: PersonRegistry.ActError.leaving(Username("bert"))) {
            try await server.people().makeResetLink(for: bert, lasting: 3600, mailedBy: nil)
        }
    }

    @Test func `lose a link for a new password when they get a role, since a helpdesk may have made it`() async throws {
        let helper = server.people(for: try await server.administratorSession(as: .helpdesk))
        let made = try #require(try await helper.makeResetLink(for: bert, lasting: 3600, mailedBy: nil))
        let digest = made.secret.digest
        _ = try await server.people().assign(.user, to: bert)
        #expect(try await server.store.read { try $0.actionLinks.find(digest) } != nil)
        _ = try await server.people().assign(.auditor, to: bert)
        #expect(try await server.store.read { try $0.actionLinks.find(digest) } == nil)
    }

    private var notices: AccountNotices { AccountNotices(by: CodeMint(drawingFrom: .system), sendsMail: false) }

    @Test(arguments: [true, false])
    func `get no e-mail address that another person has, whatever the case of its letters`(isVerified: Bool)
        async throws
    {
        let taken = People.AddressTakenError(address: EmailAddress("Anna@example.org"), holder: Username("anna"))
        let people = server.people()
        await #expect(throws: taken) {
            try await people.change(bert, telling: notices) {
                $0.changeEmail(to: "Anna@example.org", isVerified: isVerified)
            }
        }
        let carla = Person(
            subject: Subject("carla"), username: Username("carla"), name: "Carla", email: "Anna@example.org",
            isEmailVerified: isVerified, password: nil, created: server.clock.date)
        await #expect(throws: taken) { try await server.change { try People($0).add(carla, as: .operator) } }
        await #expect(throws: taken) {
            try await people.invite(EmailAddress("Anna@example.org"), lasting: 3600, mailedBy: nil)
        }
        #expect("\(taken)" == "anna has the e-mail address Anna@example.org.")
        #expect(try await server.people().find(bert)?.email == "bert@example.org")
        #expect(try await server.people().find(carla.subject) == nil)
    }

    @Test func `keep an address that another one has, too, until it is taken from one of them`() async throws {
        try await server.change(.bert) { $0.changeEmail(to: "anna@example.org", isVerified: true) }
        let named = try await server.people().change(bert, telling: notices) { $0.name = "Bert" }
        #expect(named?.email == "anna@example.org" && named?.isEmailVerified == true)
        let spelled = try await server.people().change(bert, telling: notices) {
            $0.changeEmail(to: "Anna@example.org", isVerified: true)
        }
        #expect(spelled?.email == "Anna@example.org")
        let unverified = try await server.people().change(bert, telling: notices) {
            $0.changeEmail(to: "anna@example.org", isVerified: false)
        }
        #expect(unverified?.isEmailVerified == false)
        let own = try await server.people().change(TestPerson.anna.subject, telling: notices) {
            $0.changeEmail(to: "ANNA@example.org", isVerified: true)
        }
        #expect(own?.email == "ANNA@example.org")
    }

    @Test func `lose their mails with the account, and leave those of another at the same address`() async throws {
        let (now, mint) = (server.clock.date, CodeMint(drawingFrom: .system))
        try await server.change { repositories in
            for person in TestPerson.allCases {
                let message = MailMessage(
                    .passwordChanged, to: EmailAddress("shared@example.org"), of: person.subject)
                try MailQueue(repositories, by: mint, at: now).send(message)
            }
        }
        _ = try await server.people().remove(bert)
        let left = try await server.store.read { try $0.deliveries.due(in: .messages, at: now, limit: 10) }
        #expect(left.compactMap(\.addressee) == [.person(TestPerson.anna.subject)])
    }

    @Test func `are invited by an operator, at an address that nobody has`() async throws {
        let address = try #require(EmailAddress(parsing: "new@example.org"))
        let made = try await server.people().invite(address, lasting: 3600, mailedBy: nil)
        let digest = made.secret.digest
        #expect(try await server.store.read { try $0.actionLinks.find(digest) }?.act == .invitation(address))
        let people = server.people(for: try await server.administratorSession(as: .helpdesk))
        await #expect(throws: Administrator.NotAdministratorError.self) {
            try await people.invite(nil, lasting: 3600, mailedBy: nil)
        }
    }
}
