import Countersign
import CountersignSQLite
import CountersignServer
import CountersignStorage
import CountersignTesting
import CountersignWire
import Foundation
import TestShell
import Testing

/// The mails go through Debian's `msmtp` to a relay of aiosmtpd, and are read by Python's own library.
@Suite("A mail through a relay that others wrote", .timeLimit(.minutes(10)))
struct MailRelayTests {
    private static let brand = "Radio Süd & Söhne"
    private static let new = "seven slow snails"
    private static let subject = "Choose a new password"
    private static let address = "anna@example.org"

    /// The server is the command, with its settings.
    @Test func `brings a link for a new password, which works once, in the language of the page`() async throws {
        try await MailRelay.with(answering: "250") { relay in
            let began = Date()
            let (server, issuer) = try await serve(relay)
            defer { server.kill() }
            let visitor = JourneyVisitor(at: issuer, preferring: "de")
            try await visitor.submit(
                try await visitor.open("/login/forgot"), to: "/login/forgot/mail", ["username": "zoe"],
                expecting: "Sehen Sie in Ihre E-Mails")

            let mail = try await relay.mail(about: "Wählen Sie ein neues Passwort")
            #expect(mail.sender == "login@radio.example" && mail.receivers == ["zoe@example.org"])
            #expect(mail.from == MailRelay.RelayedMail.Address(name: Self.brand, address: "login@radio.example"))
            #expect(mail.to == MailRelay.RelayedMail.Address(name: "Zoë Müller", address: "zoe@example.org"))
            #expect(mail.messageID.wholeMatch(of: /<[0-9a-f]{32}@radio\.example>/) != nil, "\(mail.messageID)")
            #expect((began.timeIntervalSince1970 - 1...Date().timeIntervalSince1970).contains(mail.date))
            #expect(mail.contentLanguage == "de" && mail.language == "de" && mail.autoSubmitted == "auto-generated")

            let link = try #require(mail.links.first)
            #expect(mail.links == [link] && link.hasPrefix("\(issuer)/link#"))
            #expect(mail.text.contains("Neues Passwort wählen:\n\(link)\n"), "\(mail.text)")
            #expect(mail.text.contains("für Ihr Konto bei \(Self.brand)."), "\(mail.text)")
            #expect(mail.words.contains(Self.brand) && mail.words.contains(mail.subject), "\(mail.words)")
            #expect(mail.words.contains("Neues Passwort wählen"), "\(mail.words)")
            #expect(mail.styles.contains { $0.contains("#b00020") }, "\(mail.styles)")
            // Relays log the head.
            let head = try #require(mail.source.components(separatedBy: "\r\n\r\n").first)
            #expect(!head.contains("/link"))

            let page = try await visitor.submit(
                try await visitor.open("/link"), to: "/link", ["link": link], expecting: "Ein neues Passwort festlegen")
            let form = ["link": link, "new_password": Self.new, "new_password_again": Self.new]
            try await visitor.submit(page, to: "/link/password", form, expecting: "Ihr neues Passwort gilt ab jetzt")
            try await visitor.submit(page, to: "/link/password", form, expecting: "Dieser Link wurde benutzt")
            try await visitor.submit(
                try await visitor.open("/login"), to: "/login",
                ["username": "zoe@example.org", "password": Self.new, "return_to": "/account"],
                expecting: "Wo Sie angemeldet sind")
            // No device of hers has shown another language.
            let notice = try await relay.mail(about: "Your password was changed")
            #expect(notice.receivers == ["zoe@example.org"] && notice.links == ["\(issuer)/account"])
            #expect(notice.contentLanguage == "en" && notice.messageID != mail.messageID)
        }
    }

    @Test func `comes once more, as the same mail, after a relay that refused it for now`() async throws {
        try await MailRelay.with(answering: "451", "250") { relay in
            try await play(relay) { server, gateway in
                let asked = server.clock.date
                let attempts = try await gateway.attempts(
                    2, at: Self.subject, to: Self.address, advancing: server.clock)
                guard case .retry(let reason, after: nil) = attempts[0].outcome else {
                    Issue.record("\(attempts[0].outcome)")
                    return
                }
                #expect(reason.contains("451 4.7.1 Greylisted"), "\(reason)")
                #expect(attempts[1].outcome == .accepted)
                #expect(server.clock.date >= asked + 30)
                let mails = try relay.mails
                #expect(mails.map(\.answer) == [451, 250])
                #expect(Set(mails.map(\.source)).count == 1)
            }
        }
    }

    @Test(arguments: ["550", "receiver 550"])
    func `is given up, which its operator can see, where there is no such mailbox`(answer: String) async throws {
        try await MailRelay.with(answering: answer) { relay in
            try await play(relay) { server, gateway in
                let attempts = try await gateway.attempts(
                    at: Self.subject, to: Self.address, advancing: server.clock)
                guard case .rejected(let reason) = attempts[0].outcome else {
                    Issue.record("\(attempts[0].outcome)")
                    return
                }
                #expect(reason.contains("550 5.1.1 There is no such mailbox"), "\(reason)")

                let store = try #require(await server.store)
                let mail = attempts[0].mail.id
                var stored: Delivery?
                for _ in 0..<2_400 where stored?.isWaiting != false {
                    stored = try await store.read { try $0.deliveries.find(mail) }
                    try await Task.sleep(for: .milliseconds(25))
                }
                guard case .failed(.rejected, at: _) = stored?.state else {
                    Issue.record("\(String(describing: stored))")
                    return
                }
                #expect(
                    server.metrics.text().contains(#"countersign_deliveries_total{kind="mail",outcome="rejected"} 1"#))
                let audit = try Shell.run(
                    BuiltPrograms.command.path, ["admin", "audit", "list", "--data", server.place.path])
                #expect(audit.contains("message.not_delivered") && audit.contains("550 5.1.1"), "\(audit)")
            }
        }
    }

    // MARK: The story

    /// Runs the command as a server with these settings.
    private func serve(_ relay: MailRelay) async throws -> (server: LoggedProgram, issuer: Issuer) {
        let command = BuiltPrograms.command.path
        let data = relay.home.appending(component: "data").path
        try Shell.run(
            command,
            [
                "admin", "user", "add", "zoe", "--name", "Zoë Müller", "--email", "zoe@example.org", "--data", data,
                "--create",
            ], input: "correct horse battery\n")
        let server = try LoggedProgram(
            command,
            [
                "serve", "--listen", "127.0.0.1:0", "--data", data, "--brand-name", Self.brand,
                "--brand-accent", "#b00020", "--mail", "sendmail", "--mail-program", MailRelay.program,
                "--mail-from", "login@radio.example",
            ],
            environment: relay.environment,
            printingTo: relay.home.appending(component: "server.log"))
        let addresses = try await server.firstPrinted { ServedAddresses(printed: $0, operations: false) }
        return (server, try Issuer(addresses.issuer))
    }

    /// Lets Anna ask for a link at a server in this process.
    private func play(
        _ relay: MailRelay, _ body: (JourneyServer, WatchedMailGateway) async throws -> Void
    ) async throws {
        let sender = Mailbox(EmailAddress("login@radio.example"), name: Self.brand)
        let gateway = WatchedMailGateway(relay.gateway(from: sender))
        try await JourneyServer.with(configuring: { $0.delivery.mailGateway = gateway }) { server in
            try await server.change { repositories in
                var anna = try #require(try repositories.people.find(JourneyPerson.anna.subject))
                anna.changeEmail(to: Self.address, isVerified: true)
                try repositories.people.update(anna)
            }
            let visitor = JourneyVisitor(at: server.issuer)
            try await visitor.submit(
                try await visitor.open("/login/forgot"), to: "/login/forgot/mail",
                ["username": JourneyPerson.anna.username], expecting: "Check your mail")
            try await body(server, gateway)
        }
    }
}
