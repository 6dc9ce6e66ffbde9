import Countersign
import CountersignSQLite
import CountersignStorage
import CountersignTesting
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A mail in the queue")
struct MailDeliveryTests {
    private static let secret = MailSecret(link: "https://id.example/reset#Kahpohthee2u", code: nil)

    private func open(
        _ gateway: (any MailGateway)?, _ test: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        try await TestServer.open(configuring: { $0.delivery.mailGateway = gateway }) { try await test($0) }
    }

    /// Queues a mail with a link that is valid for 30 minutes, of a person without another one.
    @discardableResult
    private func queue(_ server: TestServer, language: PageLanguage? = nil, isCounted: Bool = true) async throws
        -> Delivery
    {
        let now = server.clock.date
        let core = server.server.services.core
        let keys = try await core.keys.current()
        let address = EmailAddress("anna@example.org")
        let link = ActionLink(
            digest: ActionLinkSecret(revealing: "Kahpohthee2u").digest, to: .passwordReset,
            for: TestPerson.anna.subject, created: now, expires: now + 1800)
        var message = MailMessage(
            .passwordReset, to: address, of: TestPerson.anna.subject, name: "Anna", language: language?.tag)
        message.isCounted = isCounted
        try await server.change { [message] repositories in
            try repositories.actionLinks.insert(link)
            try MailQueue(repositories, by: core.mint, at: now).send(
                message, Self.secret, until: now + 1800, sealedBy: keys)
        }
        return try #require(try await waiting(server).first)
    }

    private func waiting(_ server: TestServer) async throws -> [Delivery] {
        let later = server.clock.date + 86_400
        return try await server.store.read { try $0.deliveries.due(in: .messages, at: later, limit: 10) }
    }

    private func problem(_ delivery: Delivery, in server: TestServer) async throws -> String? {
        try await server.store.read { try $0.deliveries.find(delivery.id)?.problem }
    }

    private func state(_ delivery: Delivery, in server: TestServer) async throws -> Delivery.State? {
        try await server.store.read { try $0.deliveries.find(delivery.id)?.state }
    }

    @Test func `is sent once, in the language that it names, and keeps no secret`() async throws {
        let gateway = TestMailGateway()
        try await open(gateway) { server in
            let delivery = try await queue(server, language: .german)
            #expect(try await !server.dump().contains { $0.contains("Kahpohthee2u") })
            #expect(try await server.mails().count == 1)
            let mail = try #require(try await server.mails().first)
            #expect(await gateway.sent.count == 1)
            #expect(mail.to == Mailbox(EmailAddress("anna@example.org"), name: "Anna"))
            #expect(mail.id == delivery.id && mail.made == delivery.made && mail.content.language == "de")
            #expect(mail.content.subject == "Wählen Sie ein neues Passwort")
            #expect(mail.content.text.contains("https://id.example/reset#Kahpohthee2u"))
            #expect(mail.content.text.contains("Der Link gilt einmal, 30 Minuten lang."))
            let stored = try #require(try await server.store.read { try $0.deliveries.find(delivery.id) })
            #expect(stored.state == .delivered(server.clock.date))
            guard case .mail(_, nil) = stored.content else {
                Issue.record("\(stored.content)")
                return
            }
        }
    }

    @Test func `is sent again as the same mail by a gateway that is down, until it is up`() async throws {
        let gateway = TestMailGateway(.retry("down"), .retry("down"), .accepted)
        try await open(gateway) { server in
            let delivery = try await queue(server)
            for _ in 0..<4 {
                _ = try await server.mails()
                server.clock.advance(by: .seconds(30))
            }
            let sent = await gateway.sent
            #expect(sent.count == 3 && sent.allSatisfy { $0 == sent[0] })
            guard case .delivered = try await state(delivery, in: server) else {
                Issue.record("not delivered")
                return
            }
            let figures = server.metrics.text()
            #expect(figures.contains("countersign_deliveries_total{kind=\"mail\",outcome=\"postponed\"} 2"))
            #expect(figures.contains("countersign_deliveries_total{kind=\"mail\",outcome=\"accepted\"} 1"))
        }
    }

    @Test func `keeps the reason of its last failure, until it is delivered`() async throws {
        let long = String(repeating: "x", count: 1000)
        try await open(TestMailGateway(.retry("status 1"), .retry(long), .accepted)) { server in
            let delivery = try await queue(server)
            for expected in ["status 1", String(long.prefix(300)), nil] {
                _ = try await server.mails()
                #expect(try await problem(delivery, in: server) == expected)
                server.clock.advance(by: .seconds(30))
            }
        }
    }

    @Test func `that is refused is given up, counted and audited`() async throws {
        try await open(TestMailGateway(.rejected("status 67: no such user"))) { server in
            let delivery = try await queue(server)
            #expect(try await server.mails().count == 1)
            #expect(try await state(delivery, in: server) == .failed(.rejected, at: server.clock.date))
            #expect(try await problem(delivery, in: server) == "status 67: no such user")
            #expect(
                try await server.audited(.messageNotDelivered).map(\.detail)
                    == ["mail rejected: status 67: no such user"])
            #expect(
                server.metrics.text().contains("countersign_deliveries_total{kind=\"mail\",outcome=\"rejected\"} 1"))
            #expect(try await !server.dump().contains { $0.contains("Kahpohthee2u") })
        }
    }

    @Test(arguments: [true, false])
    func `that is refused is given back, if it was counted`(isCounted: Bool) async throws {
        try await open(TestMailGateway(.rejected("status 67: no such user"))) { server in
            let address = EmailAddress("anna@example.org")
            let budget = MessageBudget(limits: server.server.services.core.limits)
            let maySendFirst = try await server.store.change {
                try budget.spend(onAccountAt: address, from: nil, in: $0)
            }
            #expect(maySendFirst)
            try await queue(server, isCounted: isCounted)
            #expect(try await server.mails().count == 1)
            let maySend = try await server.store.change {
                try budget.spend(onAccountAt: address, from: nil, in: $0)
            }
            #expect(maySend == isCounted)
        }
    }

    @Test func `is not sent after its link has expired`() async throws {
        let gateway = TestMailGateway()
        try await open(gateway) { server in
            let delivery = try await queue(server)
            server.clock.advance(by: .seconds(1800))
            #expect(try await server.mails().isEmpty)
            #expect(try await state(delivery, in: server) == .failed(.expired, at: server.clock.date))
        }
    }

    /// An event that ends a link.
    enum LinkEnd: CaseIterable {
        case newerLink, lock, otherAddress, use
    }

    @Test(arguments: LinkEnd.allCases)
    func `is withdrawn while it waits for a gateway that is down, when its link has ended`(by end: LinkEnd) async throws
    {
        let gateway = TestMailGateway(.retry("down"), .accepted)
        try await open(gateway) { server in
            let delivery = try await queue(server)
            #expect(try await server.mails().count == 1)
            switch end {
            case .newerLink: _ = try await server.link()
            case .lock: try await server.lock(.anna)
            case .otherAddress:
                let notices = AccountNotices(by: CodeMint(drawingFrom: .system), sendsMail: false)
                _ = try await server.people().change(TestPerson.anna.subject, telling: notices) {
                    $0.changeEmail(to: "other@example.org")
                }
            case .use:
                let now = server.clock.date
                try await server.change {
                    _ = try ActionLinks($0).use(ActionLinkSecret(revealing: "Kahpohthee2u"), at: now)
                }
            }
            server.clock.advance(by: .seconds(30))
            #expect(try await server.mails().count == 1)
            #expect(try await state(delivery, in: server) == .failed(.withdrawn, at: server.clock.date))
            #expect(try await server.audited(.messageNotDelivered).isEmpty)
            #expect(try await !server.dump().contains { $0.contains("Kahpohthee2u") })
            #expect(
                server.metrics.text().contains("countersign_deliveries_total{kind=\"mail\",outcome=\"withdrawn\"} 1"))
        }
    }

    @Test func `with an invitation is withdrawn, when a newer one of its address has ended that`() async throws {
        let gateway = TestMailGateway(.retry("down"))
        try await open(gateway) { server in
            let people = server.people()
            let mail = try await ActionLinkMail(
                from: server.issuer, in: server.store, by: server.server.services.mint, at: server.serverClock)
            let address = EmailAddress("carla@example.org")
            _ = try await people.invite(address, lasting: 3600, mailedBy: mail)
            #expect(try await server.mails().count == 1)
            _ = try await people.invite(EmailAddress("Carla@example.org"), lasting: 3600, mailedBy: mail)
            server.clock.advance(by: .seconds(30))
            // The newer one alone is sent.
            let mails = try await server.mails()
            #expect(mails.count == 2 && mails[1].to.address == EmailAddress("Carla@example.org"))
            server.clock.advance(by: .seconds(3000))
            #expect(try await server.mails().count == 2)
        }
    }

    @Test func `with a code is withdrawn, when a newer code has replaced it`() async throws {
        let gateway = TestMailGateway(.retry("down"))
        try await open(gateway) { server in
            let anna = try await server.browser(of: .anna)
            let form: Form = ["address": "new@example.org"]
            #expect(try await anna.post("account/email", form).location == "/account/email")
            #expect(try await server.mails().count == 1)
            server.clock.advance(by: .seconds(30))
            #expect(try await anna.post("account/email", form).location == "/account/email")
            let mails = try await server.mails()
            #expect(mails.count == 2 && mails[0].code != mails[1].code)
            #expect(try await waiting(server).isEmpty)
            #expect(try await anna.post("account/email/verify", ["code": mails[1].code]).status == .seeOther)
        }
    }

    @Test func `is tried for more than an hour`() {
        #expect(DeliveryTimes.mailDelays.reduce(0, +) > 3600)
    }

    @Test func `fails at a server without a gateway`() async throws {
        try await open(nil) { server in
            let delivery = try await queue(server)
            _ = try await server.mails()
            #expect(try await state(delivery, in: server) == .failed(.noWay, at: server.clock.date))
        }
    }

    @Test func `does not wait for a gateway of text messages that is full`() {
        let mail = Delivery(
            id: Delivery.ID("mail"), .mail(MailMessage(.passwordChanged, to: EmailAddress("a@b.example")), nil),
            made: Date(timeIntervalSince1970: 0), expires: Date(timeIntervalSince1970: 1))
        #expect(mail.receiver == .mailGateway && mail.lane == .messages)
        #expect(DeliveryLane.messages.slots >= 4 * DeliveryLane.messages.slotsPerReceiver)
    }

    @Test(.server) func `in the outbox is a file with its subject and both forms`() async throws {
        let server = TestServer.current
        let path = server.directory.appending(path: "outbox").path()
        let content = Mail.Content(subject: "Hello", text: "Words", html: "<p>Words</p>", language: "en")
        let mail = Mail(
            id: Delivery.ID("mail"), to: Mailbox(EmailAddress("anna@example.org")), content, made: server.clock.date,
            expires: server.clock.date + 60)
        #expect(await OutboxGateway(at: path, clock: server.serverClock).send(mail) == .accepted)
        let stored = try #require(try OutboxGateway.messages(at: path).first)
        #expect(stored.to == "anna@example.org" && stored.subject == "Hello" && stored.text == "Words")
        #expect(stored.html == "<p>Words</p>")
    }
}
