internal import ArgumentParser
internal import Configuration
internal import Countersign
internal import CountersignServer
internal import Foundation

extension UserCommand {
    /// `countersign admin user reset`
    struct Reset: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Send a person a link with which they set a new password, or show the link.",
            discussion: """
                It goes to their verified e-mail address, if the settings have a gateway for mails; a running server
                with the same settings sends it. With --link it is shown: make sure that it is the person who asks, and
                hand it to them alone. It works once, sets the password of that person and changes nothing else; it
                signs nobody in, so a second factor is still asked for. A newer link ends it, and so does a lock,
                another address or another change of the password. The link leads to the address in --issuer.

                Examples:
                  countersign admin user reset anna --config /etc/countersign.json
                  countersign admin user reset anna --link --issuer https://id.example.com
                  countersign admin user reset anna --link --lifetime 15m --issuer https://id.example.com
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var who: PersonArgument

        @Flag(help: "Show the link, to hand it over.")
        var link = false

        @Option(
            help: ArgumentHelp("How long it works: a number with s, m, h or d, up to 30d.", valueName: "time"))
        var lifetime = "1h"

        func output() async throws -> CommandOutput {
            let made = try NewLink(lasting: lifetime, isShown: link, by: admin)
            let person = try await made.store(by: admin) { [who] repositories, mail in
                let person = try who.find(in: repositories)
                guard person.standing == .active else {
                    throw CommandError("\(person.username) is locked. Unlock them first.")
                }
                let link = made.link(to: .passwordReset, for: person.subject)
                try ActionLinks(repositories).add(link, by: .operator)
                if let mail {
                    let address = try person.verifiedEmail.or(
                        failure: "\(person.username) has no verified e-mail address. "
                            + "Hand the link over: --link shows it.")
                    try mail.send(link, made.secret, to: address, of: person, by: repositories)
                }
                return person
            }
            return made.output(
                made.members.adding("username", person.username.rawValue), "A new password for \(person.username)")
        }
    }

    /// `countersign admin user invite`
    struct Invite: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Send somebody a link with which they create their account, or show the link.",
            discussion: """
                The link goes to the e-mail address, if the settings have a gateway for mails; with --link it is shown.
                The person chooses their user name, and a password or a passkey. The link works once. With an e-mail
                address, which you know to be theirs, a newer invitation of that address ends the earlier one.

                Examples:
                  countersign admin user invite --email anna@example.org --config /etc/countersign.json
                  countersign admin user invite --link --issuer https://id.example.com
                  countersign admin user invite --email anna@example.org --link --issuer https://id.example.com
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var creation: DatabaseCreation

        @Option(help: "The e-mail address of the account: they may sign in by it.")
        var email: String?

        @Flag(help: "Show the link, to hand it over.")
        var link = false

        @Option(
            help: ArgumentHelp("How long it works: a number with s, m, h or d, up to 30d.", valueName: "time"))
        var lifetime = "7d"

        func output() async throws -> CommandOutput {
            guard link || email != nil else {
                throw CommandError.usage("Say how the person gets it: --email sends it, --link shows it.")
            }
            let email = try email.map { email in
                try EmailAddress(parsing: email).or(usage: "\(email) is no e-mail address, as in anna@example.org.")
            }
            let missing = try await creation.allowed(in: admin.storage)
            let made = try NewLink(lasting: lifetime, isShown: link, by: admin)
            let subject: Subject = CodeMint(drawingFrom: .system).identifier()
            try await made.store(whenMissing: missing, by: admin) { repositories, mail in
                if let email, let holder = try repositories.people.all(at: email).first {
                    throw CommandError("\(holder.username) has the e-mail address \(email).")
                }
                let link = made.link(to: .invitation(email), for: subject)
                try ActionLinks(repositories).add(link, by: .operator)
                if let mail, let email { try mail.send(link, made.secret, to: email, by: repositories) }
            }
            return made.output(
                made.members.adding("id", subject.rawValue).adding("email", email?.rawValue),
                "An invitation\(email.map { " of \($0)" } ?? "")")
        }
    }

    /// `countersign admin user invitation`
    struct Invitation: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List and withdraw invitations that were not used.",
            subcommands: [ListCommand<WaitingInvitation>.self, RemoveCommand<WaitingInvitation>.self]
        )
    }
}

/// A link that is about to be stored, and shown or sent.
private struct NewLink: Sendable {
    let secret: ActionLinkSecret
    /// Whether it is shown, and not sent.
    private let isShown: Bool
    private let issuer: Issuer
    private let created: Date
    private let expires: Date

    init(lasting lifetime: String, isShown: Bool, by admin: AdminOptions) throws {
        guard let span = TimeSpan(parsing: lifetime)?.seconds, (60...ActionLinks.longestLifetime).contains(span) else {
            throw CommandError.usage("--lifetime takes a number with s, m, h or d, from 60s to 30d.")
        }
        let settings = try admin.storage.settings()
        guard isShown || DeliveryConfiguration(settings).sendsMail else {
            throw CommandError.usage("No gateway for mails is set: --link shows the link, to hand it over.")
        }
        issuer =
            try settings.string(forKey: "issuer").map { named in
                try ServeCommand.issuer(named, allowingInsecureHTTP: settings.truth("allow-insecure-http"))
            } ?? Exposure(settings).issuer
        self.isShown = isShown
        secret = CodeMint(drawingFrom: .system).secret()
        created = TimeSource.system.now()
        expires = created + span
    }

    /// Stores the link by `act`, in one change. A link that is not shown is to be sent by the mail in it.
    func store<Value: Sendable>(
        whenMissing missing: MissingDatabase = .refuse,
        by admin: AdminOptions,
        _ act: @escaping @Sendable (any Repositories, ActionLinkMail?) throws -> Value
    ) async throws -> Value {
        try await admin.withStore(whenMissing: missing) { store in
            let mint = CodeMint(drawingFrom: .system)
            let mail = isShown ? nil : try await ActionLinkMail(from: issuer, in: store, by: mint, at: .system)
            return try await store.change { try act($0, mail) }
        }
    }

    func link(to act: ActionLink.Act, for subject: Subject) -> ActionLink {
        ActionLink(digest: secret.digest, to: act, for: subject, created: created, expires: expires)
    }

    private var address: String { secret.address(at: issuer) }

    /// The members of all links; a link that is sent is not among them.
    var members: OutputMembers { ["link": isShown ? address : nil, "expires": expires] }

    /// The output of the command.
    func output(_ members: OutputMembers, _ subject: String) -> CommandOutput {
        let how = isShown ? "The link is shown only now: \(address)" : "The link is on its way by mail."
        return CommandOutput(members, "\(subject), until \(expires.formatted(.iso8601)). \(how)")
    }
}

/// An invitation that was not used.
struct WaitingInvitation: RemovableNoun {
    let link: ActionLink

    static let word = "invitation"
    static let listAbstract = "List the invitations that can be used, without their links."
    static let none = "No invitations."
    static let removeAbstract = "Withdraw an invitation."
    static var argument: ArgumentHelp { ArgumentHelp("The invitation, as 'list' names it.", valueName: "id") }

    private var email: EmailAddress? {
        if case .invitation(let address) = link.act { address } else { nil }
    }

    static var columns: Columns<Self> {
        [
            "id": \.link.subject.rawValue, "e-mail": \.email?.rawValue,
            "made": { $0.link.created.formatted(.iso8601) }, "expires": { $0.link.expires.formatted(.iso8601) },
        ]
    }

    var members: OutputMembers {
        ["id": link.subject.rawValue, "email": email?.rawValue, "created": link.created, "expires": link.expires]
    }

    static func identifier(_ text: String) -> Subject? { Subject(text) }

    static func all(in store: any Store) async throws -> [Self] {
        let now = TimeSource.system.now()
        return try await store.read { try $0.actionLinks.invitations(at: now).map { WaitingInvitation(link: $0) } }
    }

    static func remove(_ id: Subject, from store: any Store) async throws -> Bool {
        let now = TimeSource.system.now()
        return try await store.change { repositories in
            guard try repositories.actionLinks.invitations(at: now).contains(where: { $0.subject == id }) else {
                return false
            }
            try repositories.actionLinks.removeUnused(of: id)
            try Audit(repositories).record(.operator(now, .invitationRemoved))
            return true
        }
    }
}
