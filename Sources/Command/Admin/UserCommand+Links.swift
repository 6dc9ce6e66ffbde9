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
                It goes to their verified e-mail address, if the server sends mails. With --link it is shown: make sure that it is the person who asks, and \
                hand it to them alone. It works once, sets the password of that person and changes nothing else; it \
                signs nobody in, so a second factor is still asked for. A newer link ends it, and so does a lock, \
                another address or another change of the password. The link leads to the server that last ran with the \
                database, if --issuer, the environment and --config name no other one.

                Examples:
                  countersign admin user reset anna
                  countersign admin user reset anna --link --lifetime 15m
                  countersign admin user reset anna --link --data /var/lib/countersign
                  countersign admin user reset anna --link --issuer https://id.example.com
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
            let terms = try await LinkTerms(lasting: lifetime, isShown: link, by: admin)
            let (made, username) = try await terms.make(by: admin) { people, mail in
                let link = try await who.act(in: people) {
                    try await $0.makeResetLink(for: $1, lasting: terms.lifetime, mailedBy: mail)
                }
                return (link, try await people.find(link.subject)?.username.rawValue ?? who.username)
            }
            return terms.output(made, "A new password for \(username)") { $0.adding("username", username) }
        }
    }

    /// `countersign admin user invite`
    struct Invite: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Send somebody a link with which they create their account, or show the link.",
            discussion: """
                The link goes to the e-mail address, if the server sends mails; with --link it is shown. \
                The person chooses their user name, and a password or a passkey. The link works once. With an e-mail \
                address, which you know to be theirs, a newer invitation of that address ends the earlier one.

                Examples:
                  countersign admin user invite --email anna@example.org
                  countersign admin user invite --link --data /var/lib/countersign
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
            let email = try email.map { try UserFacts.email($0) }
            let missing = try await creation.allowed(in: admin.storage)
            let terms = try await LinkTerms(lasting: lifetime, isShown: link, by: admin)
            let made = try await terms.make(whenMissing: missing, by: admin) { people, mail in
                try await people.invite(email, lasting: terms.lifetime, mailedBy: mail)
            }
            return terms.output(made, "An invitation\(email.map { " of \($0)" } ?? "")") {
                $0.adding("id", made.subject.rawValue).adding("email", email?.rawValue)
            }
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

/// The terms of a link that is about to be made, and shown or sent.
private struct LinkTerms: Sendable {
    /// The lifetime of the link, in seconds.
    let lifetime: TimeInterval
    /// Whether it is shown, and not sent.
    private let isShown: Bool
    private let issuer: Issuer

    init(lasting lifetime: String, isShown: Bool, by admin: AdminOptions) async throws {
        guard let span = TimeSpan(parsing: lifetime)?.seconds, (60...ActionLinks.longestLifetime).contains(span) else {
            throw CommandError.usage("--lifetime takes a number with s, m, h or d, from 60s to 30d.")
        }
        let settings = try await admin.storage.settingsOfServer()
        guard isShown || DeliveryConfiguration(settings).sendsMail else {
            throw CommandError.usage("No gateway for mails is set: --link shows the link, to hand it over.")
        }
        issuer = try StoreOptions.issuer(by: settings)
        self.isShown = isShown
        self.lifetime = span
    }

    /// Makes the link by `act`. A link that is not shown is to be sent by the mail in it.
    ///
    /// - Throws: a ``CommandError`` for a link that is refused.
    func make<Value>(
        whenMissing missing: MissingDatabase = .refuse,
        by admin: AdminOptions,
        _ act: (PersonRegistry, ActionLinkMail?) async throws -> Value
    ) async throws -> Value {
        try await admin.withStore(whenMissing: missing) { store in
            let mint = CodeMint(drawingFrom: .system)
            let mail = isShown ? nil : try await ActionLinkMail(from: issuer, in: store, by: mint, at: .system)
            do {
                return try await act(store.people, mail)
            } catch let refused as PersonRegistry.ActError {
                throw CommandError(refused.sentence)
            } catch let taken as People.AddressTakenError {
                throw CommandError("\(taken)")
            }
        }
    }

    /// The output of the command. A link that is sent is not part of it.
    ///
    /// - Parameters:
    ///   - made: The link.
    ///   - subject: The purpose of the link, in words.
    ///   - adding: Adds the members of its kind to the JSON.
    func output(
        _ made: PersonRegistry.NewLink, _ subject: String, adding: (OutputMembers) -> OutputMembers
    ) -> CommandOutput {
        let address = made.secret.address(at: issuer)
        let how = isShown ? "The link is shown only now: \(address)" : "The link is on its way by mail."
        return CommandOutput(
            adding(["link": isShown ? address : nil, "expires": made.expires]),
            "\(subject), until \(made.expires.formatted(.iso8601)). \(how)")
    }
}

extension PersonRegistry.ActError {
    /// The refusal in a sentence.
    fileprivate var sentence: String {
        switch self {
        case .ownAccount: "It is your own account."
        case .locked(let name): "\(name) is locked. Unlock them first."
        case .leaving(let name):
            "\(name) asked for the removal of the account, and it will be removed. Unlock them first to keep it."
        case .noVerifiedAddress(let name):
            "\(name) has no verified e-mail address. Hand the link over: --link shows it."
        case .noDevice: "There is no such device."
        }
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

    static var columns: Columns<Self> {
        [
            "id": \.link.subject.rawValue, "e-mail": \.link.invitedAddress?.rawValue,
            "made": { $0.link.created.formatted(.iso8601) }, "expires": { $0.link.expires.formatted(.iso8601) },
        ]
    }

    var members: OutputMembers {
        [
            "id": link.subject.rawValue, "email": link.invitedAddress?.rawValue, "created": link.created,
            "expires": link.expires,
        ]
    }

    static func identifier(_ text: String) -> Subject? { Subject(text) }

    static func all(in store: any Store) async throws -> [Self] {
        try await store.people.invitations(after: nil, limit: .max).map { WaitingInvitation(link: $0) }
    }

    static func remove(_ id: Subject, from store: any Store) async throws -> Bool {
        try await store.people.withdrawInvitation(of: id)
    }
}
