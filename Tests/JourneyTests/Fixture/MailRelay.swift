import CountersignServer
import Foundation
import TestShell

/// A mail relay that others wrote, which answers as a test tells it, and the `msmtp` of the system that reaches it.
struct MailRelay: Sendable {
    static let program = "/usr/bin/msmtp"

    /// The home of `msmtp`, with its configuration.
    let home: URL
    private let relay: LoggedProgram

    /// A mail as Python's own library reads it.
    struct RelayedMail: Decodable, Sendable {
        struct Address: Decodable, Sendable, Equatable {
            let name, address: String
        }

        /// The status with which the relay answered.
        let answer: Int
        /// The envelope.
        let sender: String
        let receivers: [String]
        /// The head.
        let from, to: Address
        let subject, messageID, contentLanguage, autoSubmitted: String
        let date: TimeInterval
        /// The plain form of the words.
        let text: String
        /// The page: its language, and of its elements the texts, the addresses and the styles.
        let language: String
        let words, links, styles: [String]
        /// All bytes, which are ASCII.
        let source: String

        enum CodingKeys: String, CodingKey {
            case answer, sender, receivers, from, to, subject, date, text, language, words, links, styles, source
            case messageID = "message_id"
            case contentLanguage = "content_language"
            case autoSubmitted = "auto_submitted"
        }
    }

    /// Runs a relay for as long as `body` takes.
    ///
    /// - Parameter answers: The statuses for the mails, the last one also for all that follow; one after `receiver`
    ///   refuses the receiver before the mail comes.
    static func with(
        answering answers: String...,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (MailRelay) async throws -> Void
    ) async throws {
        let home = FileManager.default.temporaryDirectory.appending(component: "countersign-relay-\(UUID())")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        let relay = try PythonProgram(name: "relay_with_aiosmtpd").start(
            with: ["JOURNEY_ANSWERS": answers.joined(separator: ",")],
            printingTo: home.appending(component: "relay.log"))
        defer { relay.kill() }
        let port = try await relay.firstPrinted { $0.firstMatch(of: /port (\d+)\n/)?.1 }
        let settings = home.appending(component: ".msmtprc")
        try Data("account default\nhost 127.0.0.1\nport \(port)\ntls off\nauth off\n".utf8).write(to: settings)
        // It reads no configuration that others can read.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: settings.path)
        try await body(MailRelay(home: home, relay: relay))
    }

    /// The environment of `msmtp`.
    var environment: [String: String] { ["PATH": "/usr/bin:/bin", "HOME": home.path, "LANG": "C.UTF-8"] }

    /// A gateway that brings mails to the relay. Its program runs by the clock of the system.
    func gateway(from sender: Mailbox) -> SendmailGateway {
        SendmailGateway(at: Self.program, sender: sender, environment: environment, clock: .system)
    }

    /// The mails that came, in their order; the relay has printed a mail before it answers.
    var mails: [RelayedMail] {
        get throws { try Self.mails(in: relay.printed) }
    }

    /// Waits for a mail with a subject.
    func mail(about subject: String) async throws -> RelayedMail {
        try await relay.firstPrinted { try Self.mails(in: $0).first { $0.subject == subject } }
    }

    private static func mails(in printed: String) throws -> [RelayedMail] {
        // The last piece is no whole line yet.
        return try printed.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .filter { $0.hasPrefix("{") }
            .map { try JSONDecoder().decode(RelayedMail.self, from: Data($0.utf8)) }
    }
}
