internal import ArgumentParser
internal import Countersign
internal import CountersignServer

/// `countersign admin user`: the people with an account.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Manage the people with an account.",
        subcommands: [
            Add.self, Import.self, ListCommand<Person>.self, Change.self, Lock.self, Unlock.self, Administrator.self,
            Remove.self, ChangePassword.self, Reset.self, Invite.self, Invitation.self, Factors.self, Phone.self,
            Device.self, Mute.self,
        ]
    )

    /// `countersign admin user lock`
    struct Lock: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Lock a person: nothing of theirs works until they are unlocked.")

        @OptionGroup var admin: AdminOptions
        @OptionGroup var who: PersonArgument

        func output() async throws -> CommandOutput {
            let now = TimeSource.system.now()
            let person = try await who.change(admin, auditing: .personLocked) { person, repositories in
                person.standing = .locked
                try repositories.people.update(person)
                try Approvals(repositories).cancelAll(of: person.subject, at: now)
                try Sessions(repositories).endAll(of: person.subject, at: now)
                try RememberedScreens(repositories).endAll(of: person.subject, at: now)
            }
            return CommandOutput(person.members, "Locked \(person.username).")
        }
    }

    /// `countersign admin user unlock`
    struct Unlock: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Unlock a person, who signs in anew everywhere.",
            discussion: """
                Whoever was the reason for the lock may have signed in a screen or an app before it. So what was signed in
                before is signed out, and authenticators have to be enrolled anew, unless you say that they may go on.

                Examples:
                  countersign admin user unlock anna
                  countersign admin user unlock anna --keep-devices
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var who: PersonArgument

        @Flag(help: "Let screens, apps and authenticators go on that the person had before the lock.")
        var keepDevices = false

        func output() async throws -> CommandOutput {
            let now = TimeSource.system.now()
            let endsDevices = !keepDevices
            let person = try await who.change(admin, auditing: .personUnlocked) { person, repositories in
                if endsDevices, person.standing == .locked {
                    try Revocation(repositories).endAll(of: person.subject, at: now)
                }
                person.standing = .active
                try repositories.people.update(person)
            }
            return CommandOutput(person.members, "Unlocked \(person.username).")
        }
    }

    /// `countersign admin user administrator`
    struct Administrator: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Make a person an administrator, who manages the services at /admin; or take the right away.",
            discussion: """
                Examples:
                  countersign admin user administrator anna
                  countersign admin user administrator anna --off
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var who: PersonArgument

        @Flag(help: "Take the right away.")
        var off = false

        func output() async throws -> CommandOutput {
            let isAdministrator = !off
            let act: AuditAct = off ? .personUnmadeAdministrator : .personMadeAdministrator
            let person = try await who.change(admin, auditing: act) { person, repositories in
                person.isAdministrator = isAdministrator
                try repositories.people.update(person)
            }
            let text = off ? "is no administrator now" : "is an administrator now"
            return CommandOutput(person.members, "\(person.username) \(text).")
        }
    }

    /// `countersign admin user remove`
    struct Remove: AdminAction {
        static let configuration = CommandConfiguration(abstract: "Remove a person, and sign them out everywhere.")

        @OptionGroup var admin: AdminOptions
        @OptionGroup var who: PersonArgument

        func output() async throws -> CommandOutput {
            let now = TimeSource.system.now()
            let person = try await who.change(admin, auditing: .personRemoved) { person, repositories in
                try Revocation(repositories).endAll(of: person.subject, at: now)
                try repositories.identities.removeAll(of: person.subject)
                _ = try People(repositories).removeFactors(of: person.subject)
                try repositories.phoneNumbers.removeAll(of: person.subject)
                try repositories.mutes.removeAll(of: person.subject)
                try repositories.groups.removeAll(of: person.subject)
                _ = try repositories.people.remove(person.subject)
            }
            return CommandOutput(["removed": person.username.rawValue], "Removed \(person.username).")
        }
    }
}

/// The person that a command is about.
struct PersonArgument: ParsableArguments {
    @Argument(help: "The name by which the person signs in, or their e-mail address.")
    var username: String

    /// The person.
    ///
    /// - Throws: a ``CommandError`` when there is no such person.
    func find(in repositories: any Repositories) throws -> Person {
        return try PersonName(username).find(in: repositories).or(failure: "There is nobody called \(username).")
    }

    /// Changes the person as one step; `act` may run more than once.
    func change(
        _ admin: AdminOptions,
        auditing audited: AuditAct,
        _ act: @escaping @Sendable (inout Person, any Repositories) throws -> Void
    ) async throws -> Person {
        let now = TimeSource.system.now()
        return try await admin.change { repositories in
            var person = try find(in: repositories)
            try act(&person, repositories)
            try Audit(repositories).record(.operator(now, audited, subject: person.subject))
            return person
        }
    }
}

extension Person: StoredNoun {
    static let listAbstract = "List all people."
    static let none = "Nobody yet."

    static var columns: Columns<Self> {
        [
            "username": \.username.rawValue, "name": \.name, "e-mail": \.email, "standing": \.standing.rawValue,
            "rights": { $0.isAdministrator ? "administrator" : nil }, "subject": \.subject.rawValue,
        ]
    }

    var members: OutputMembers {
        [
            "username": username.rawValue, "subject": subject.rawValue, "name": name, "email": email,
            "email_verified": email.map { _ in isEmailVerified },
            "standing": standing.rawValue, "administrator": isAdministrator, "created": created,
            "locale": profile.locale, "zoneinfo": profile.zoneInfo,
            "attributes": profile.attributes.isEmpty
                ? nil : Dictionary(uniqueKeysWithValues: profile.attributes.map { ($0.key.rawValue, $0.value) }),
        ]
    }

    static func all(in store: any Store) async throws -> [Self] { try await store.read { try $0.people.all() } }
}

/// A noun that a person has some of.
protocol PersonalNoun: ListableNoun {
    static var listAbstract: String { get }
    static func all(of person: Person, in repositories: any Repositories) throws -> [Self]
}

/// `countersign admin user NOUN list`
struct PersonListCommand<Noun: PersonalNoun>: AdminAction {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "list", abstract: Noun.listAbstract)
    }

    @OptionGroup var admin: AdminOptions
    @OptionGroup var who: PersonArgument

    func output() async throws -> CommandOutput {
        Noun.output(try await admin.read { [who] in try Noun.all(of: try who.find(in: $0), in: $0) })
    }
}
