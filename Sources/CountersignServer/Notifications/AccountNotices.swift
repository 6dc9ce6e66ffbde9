package import Countersign
package import FoundationEssentialsCompat

/// Notifies people of changes of their accounts, on all their devices and by mail at a verified address. A new device
/// is mailed only where no other one can be reached.
package struct AccountNotices: Sendable {
    let mint: CodeMint
    /// Whether a gateway for mails is set up.
    private let sendsMail: Bool

    package init(by mint: CodeMint, sendsMail: Bool) {
        self.mint = mint
        self.sendsMail = sendsMail
    }

    /// Queues the notices of a change, for the devices and by mail: the only device may be an attacker's. The devices
    /// may be removed in the same change, so the messages name none. The mail has `values` in its words.
    package func tell(
        _ kind: MailMessage.Kind, to subject: Subject, saying values: [String: String] = [:], at now: Date,
        in repositories: any Repositories
    ) throws {
        try Announcements(repositories).announceChange(of: subject, by: mint, at: now)
        try mail(kind, to: subject, saying: values, at: now, in: repositories)
    }

    /// Queues the notices of another e-mail address, before it is stored: the mail goes to the earlier one.
    ///
    /// - Parameters:
    ///   - person: The person, as they will be stored.
    ///   - earlier: The person before the change.
    ///   - now: The current time.
    ///   - repositories: The repositories of the change.
    package func tellOfAddress(
        of person: Person, after earlier: Person, at now: Date, in repositories: any Repositories
    ) throws {
        guard !person.hasSameEmail(as: earlier) else { return }
        try tell(.addressChanged, to: person.subject, at: now, in: repositories)
    }

    /// Queues the notices of an enrolled device.
    func tell(of device: EnrolledDevice, _ subject: Subject, at now: Date, in repositories: any Repositories) throws {
        guard try !Announcements(repositories).announceAddition(of: device, by: mint, at: now) else { return }
        try mail(.newDevice, to: subject, saying: Self.naming(device.shownName), at: now, in: repositories)
    }

    /// Whether a new screen or app of a person is mailed: there is a gateway, and none of their devices can be reached.
    func mailsAdditions(to subject: Subject, at now: Date, in repositories: any Repositories) throws -> Bool {
        guard sendsMail else { return false }
        return try Announcements(repositories).pushable(of: subject, at: now).isEmpty
    }

    /// Queues a mail about a signed-in screen or app, where ``mailsAdditions(to:at:in:)``.
    func tell(of grant: Grant, at now: Date, in repositories: any Repositories) throws {
        let client = try repositories.clients.find(grant.client)?.shownName
        try mail(.newDevice, to: grant.subject, saying: Self.naming(client), at: now, in: repositories)
    }

    private static func naming(_ device: String?) -> [String: String] { device.map { ["device": $0] } ?? [:] }

    private func mail(
        _ kind: MailMessage.Kind, to subject: Subject, saying values: [String: String], at now: Date,
        in repositories: any Repositories
    ) throws {
        guard sendsMail, let person = try repositories.people.find(subject), let address = person.verifiedEmail
        else { return }
        let language = try PageLanguage(of: subject, in: repositories)
        try MailQueue(repositories, by: mint, at: now).send(
            MailMessage(kind, to: address, of: subject, name: person.name, language: language?.tag, values: values))
    }
}

extension ServerCore {
    /// Notifies people of changes of their accounts.
    var notices: AccountNotices { AccountNotices(by: mint, sendsMail: sendsMail) }
}
