internal import ArgumentParser
internal import Countersign
internal import CountersignServer

/// `countersign admin user`: the people with an account.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Manage the people with an account.",
        subcommands: [
            Add.self, Import.self, Export.self, ListCommand<Person>.self, Show.self, Change.self, Lock.self,
            Unlock.self, Administrator.self, Remove.self, ChangePassword.self, Reset.self, Invite.self, Invitation.self,
            Factors.self, Phone.self,
        ]
    )

    /// `countersign admin user lock`
    struct Lock: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Lock a person: nothing of theirs works until they are unlocked.")

        @OptionGroup var admin: AdminOptions
        @OptionGroup var who: PersonArgument

        func output() async throws -> CommandOutput {
            let person = try await who.act(admin) { try await $0.lock($1) }
            return CommandOutput(person.members, "Locked \(person.username).")
        }
    }

    /// `countersign admin user unlock`
    struct Unlock: DestructiveAction {
        static let configuration = CommandConfiguration(
            abstract: "Unlock a person, who signs in anew everywhere.",
            discussion: """
                Whoever was the reason for the lock may have signed in a screen or an app before it. So what was signed in \
                before is signed out, apps ask for consent again, and authenticators have to be enrolled anew, unless you \
                say that they may go on.

                Examples:
                  countersign admin user unlock anna
                  countersign admin user unlock anna --keep-devices
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var who: PersonArgument

        @Flag(help: "Let screens, apps and authenticators go on that the person had before the lock.")
        var keepDevices = false

        @OptionGroup var confirmation: ConfirmationOption

        func loss() async throws -> Loss? {
            guard !keepDevices else { return nil }
            let now = TimeSource.system.now()
            return try await admin.read { [who] repositories in
                let person = try who.find(in: repositories)
                guard !person.isActive else { return nil }
                let loss = Loss("what \(person.username) was signed in to and allowed before", by: "Ends")
                    .and(try repositories.devices.all(of: person.subject).count, "device")
                    .and(
                        try repositories.signIns.all(of: person.subject).filter { $0.isLive(at: now) }.count, "sign-in"
                    )
                    .and(try repositories.consents.all(of: person.subject).count, "consent")
                return loss.hasMore ? loss : nil
            }
        }

        func confirmedOutput() async throws -> CommandOutput {
            let (before, person) = try await who.act(admin) { people, subject in
                let before = try await people.find(subject)
                let after = try await people.unlock(subject, keepingDevices: keepDevices)
                return before.flatMap { before in after.map { (before, $0) } }
            }
            return CommandOutput(
                person.members,
                before.isActive
                    ? "\(person.username) was not locked: nothing is different." : "Unlocked \(person.username).")
        }
    }

    /// `countersign admin user administrator`
    struct Administrator: DestructiveAction {
        static let configuration = CommandConfiguration(
            abstract: "Make a person an administrator at /admin, or take the right away.",
            discussion: """
                An operator does everything there; a helpdesk sees people, locks and unlocks them, signs them out and gives \
                them links for a new password; an auditor reads everything and changes nothing.

                Examples:
                  countersign admin user administrator anna
                  countersign admin user administrator ben --role helpdesk
                  countersign admin user administrator anna --off
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var who: PersonArgument

        @Option(help: "The role: operator, helpdesk or auditor. (default: operator)")
        var role: String?

        @Flag(help: "Take the right away.")
        var off = false

        @OptionGroup var confirmation: ConfirmationOption

        func loss() async throws -> Loss? {
            guard try given() != .operator else { return nil }
            return try await admin.read { [who] repositories in
                let person = try who.find(in: repositories)
                guard try AccountRemoval(repositories).isLastOperator(person.subject) else { return nil }
                return Loss(
                    "its last operator, \(person.username)", by: "Takes from /admin",
                    then: "until there is another one, only the command manages the server")
            }
        }

        /// The role that the person gets.
        private func given() throws -> PersonRole {
            guard !off || role == nil else { throw CommandError.usage("--off and --role do not go together.") }
            let named = role ?? PersonRole.operator.rawValue
            guard let given = off ? .user : PersonRole(rawValue: named), off || given != .user else {
                let known = Suggestion(from: ["operator", "helpdesk", "auditor"])
                throw known.refusal("--role is \(known.choice); not \(named).", of: named)
            }
            return given
        }

        func confirmedOutput() async throws -> CommandOutput {
            let given = try given()
            let person = try await who.act(admin) { try await $0.assign(given, to: $1) }
            let text =
                switch given {
                case .user: "is no administrator now"
                case .operator: "is an administrator now"
                case .helpdesk, .auditor: "has the role \(given.rawValue) now"
                }
            return CommandOutput(person.members, "\(person.username) \(text).")
        }
    }

    /// `countersign admin user remove`
    struct Remove: DestructiveAction {
        static let configuration = CommandConfiguration(abstract: "Remove a person, and sign them out everywhere.")

        @OptionGroup var admin: AdminOptions
        @OptionGroup var who: PersonArgument
        @OptionGroup var confirmation: ConfirmationOption

        func loss() async throws -> Loss? {
            let now = TimeSource.system.now()
            return try await admin.read { [who] repositories in
                let person = try who.find(in: repositories)
                let sessions = try repositories.browserSessions.all(of: person.subject).filter { now < $0.expires }
                let isLast = try AccountRemoval(repositories).isLastOperator(person.subject)
                return Loss(person.username.rawValue + (isLast ? " (the last operator)" : ""))
                    .and(try repositories.devices.all(of: person.subject).count, "device")
                    .and(sessions.count, "browser session")
                    .and(
                        try repositories.signIns.all(of: person.subject).filter { $0.isLive(at: now) }.count, "sign-in")
            }
        }

        func confirmedOutput() async throws -> CommandOutput {
            let person = try await who.act(admin) { try await $0.remove($1) }
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
        try Person.find(username, in: repositories)
    }

    /// Does an act of the registry to the person, and returns the result.
    ///
    /// - Throws: a ``CommandError`` when there is no such person; what `act` throws.
    func act<Value: Sendable>(
        _ admin: AdminOptions, _ act: (PersonRegistry, Subject) async throws -> Value?
    ) async throws -> Value {
        try await admin.withStore { try await self.act(in: $0.people, act) }
    }

    /// The same in an opened store.
    func act<Value: Sendable>(
        in people: PersonRegistry, _ act: (PersonRegistry, Subject) async throws -> Value?
    ) async throws -> Value {
        let missing = "There is nobody called \(username)."
        let person = try await people.find(PersonName(username)).or(failure: missing)
        return try await act(people, person.subject).or(failure: missing)
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
            "rights": \.administrativeRole, "subject": \.subject.rawValue,
        ]
    }

    var members: OutputMembers {
        [
            "username": username.rawValue, "subject": subject.rawValue, "name": name, "email": email,
            "email_verified": email.map { _ in isEmailVerified },
            "standing": standing.rawValue, "removal": removal, "administrator": isAdministrator,
            "role": administrativeRole,
            "created": created,
            "locale": profile.locale, "zoneinfo": profile.zoneInfo,
            "attributes": profile.attributes.isEmpty
                ? nil : Dictionary(uniqueKeysWithValues: profile.attributes.map { ($0.key.rawValue, $0.value) }),
        ]
    }

    /// The role of an administrator; `nil` for a person who is none.
    var administrativeRole: String? { role == .user ? nil : role.rawValue }

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
