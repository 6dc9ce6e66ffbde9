internal import Configuration
internal import Countersign
internal import CountersignServer
internal import CountersignTransport
internal import Foundation

extension DeliveryConfiguration {
    /// Whether mails are sent.
    var sendsMail: Bool { mailGateway != "off" }

    /// The name of the gateway.
    var mailGateway: String { settings.string(forKey: "mail") ?? "off" }

    /// The path of the program that takes mails.
    var mailProgram: String { settings.string(forKey: "mail-program") ?? SendmailGateway.standardPath }

    /// The gateway for mails; `nil` for none.
    ///
    /// - Parameters:
    ///   - name: The name of the sender.
    ///   - transport: The network.
    ///   - clock: The time.
    /// - Throws: a ``CommandError`` for settings that cannot be used.
    func mail(from name: String, over transport: any HTTPTransport, clock: TimeSource) throws -> (any MailGateway)? {
        switch mailGateway {
        case "off":
            return nil
        case "outbox":
            return OutboxGateway(at: Self.outbox(settings), clock: clock)
        case "sendmail":
            let sender = try sender(name)
            let path = mailProgram
            guard path.hasPrefix("/"), FileManager.default.isExecutableFile(atPath: path) else {
                throw CommandError(
                    "\(path) of mail-program cannot be run: name a program by its whole path, as of postfix or msmtp.")
            }
            return SendmailGateway(
                at: path, sender: sender, environment: Self.environmentOfPrograms, clock: clock)
        case let gateway:
            guard let form = HTTPMailGateway.Form(rawValue: gateway) else {
                let known = Suggestion(from: ["sendmail", "postmark", "mailgun", "outbox", "off"])
                throw known.refusal("The setting mail is \(known.choice); not \(gateway).", of: gateway)
            }
            let sender = try sender(name)
            let host = sender.address.rawValue.split(separator: "@").last.map(String.init) ?? ""
            return try HTTPMailGateway(
                form, at: try address("mail-host") ?? form.standardBase,
                domain: try domain(settings.string(forKey: "mail-domain") ?? host),
                credential: GatewayCredential(revealing: try secret(for: gateway, in: "mail")), sender: sender,
                over: transport)
        }
    }

    private func sender(_ name: String) throws -> Mailbox {
        let text = try settings.string(forKey: "mail-from").or(
            usage: "Sending mails needs a sender: name its address with --mail-from.")
        let address = try EmailAddress(parsing: text).or(
            usage: "\(text) of mail-from is no e-mail address, as in login@example.org.")
        return Mailbox(address, name: name)
    }

    /// A domain that can be in a path.
    private func domain(_ text: String) throws -> String {
        let letters = "abcdefghijklmnopqrstuvwxyz0123456789.-"
        guard !text.isEmpty, text.lowercased().allSatisfy(letters.contains) else {
            throw CommandError.usage("\(text) of mail-domain is no domain, as in mg.example.org.")
        }
        return text
    }

    /// The environment without the settings, some of which are secrets.
    private static var environmentOfPrograms: [String: String] {
        StoreOptions.environment.filter { !$0.key.hasPrefix(Setting.variable("")) }
    }
}

extension StoreOptions {
    /// The notices that a command queues; the server sends them.
    func accountNotices() async throws -> AccountNotices {
        AccountNotices(
            by: CodeMint(drawingFrom: .system), sendsMail: DeliveryConfiguration(try await settingsOfServer()).sendsMail
        )
    }
}
