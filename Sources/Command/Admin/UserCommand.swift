internal import ArgumentParser
internal import Countersign
internal import CountersignServer
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `countersign admin user`: the people with an account.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Manage the people with an account.",
        subcommands: [
            Add.self, List.self, Lock.self, Unlock.self, Administrator.self, Remove.self, ChangePassword.self,
            Factors.self, Phone.self, Device.self, Mute.self,
        ]
    )

    /// `countersign admin user list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all people.")

        @OptionGroup var admin: AdminOptions

        func run() async throws {
            try await ending {
                let people = try await admin.withStore { try await $0.read { try $0.people.all() } }
                var table = TextTable(["username", "name", "e-mail", "standing", "rights", "subject"])
                for person in people {
                    table.add([
                        person.username.rawValue, person.name, person.email ?? "", person.standing.rawValue,
                        person.isAdministrator ? "administrator" : "", person.subject.rawValue,
                    ])
                }
                try admin.print(people.map { ShownPerson($0) }, or: people.isEmpty ? "Nobody yet." : table.text)
            }
        }
    }

    /// `countersign admin user lock`
    struct Lock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lock a person: nothing of theirs works until they are unlocked."
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var who: NamedPerson

        func run() async throws {
            try await ending {
                let now = TimeSource.system.now()
                let person = try await who.change(admin, auditing: .personLocked) { person, repositories in
                    person.standing = .locked
                    try repositories.people.update(person)
                    try repositories.cancelApprovals(of: person.subject, at: now)
                    try repositories.endBrowserSessions(of: person.subject, at: now)
                }
                try admin.print(ShownPerson(person), or: "Locked \(person.username).")
            }
        }
    }

    /// `countersign admin user unlock`
    struct Unlock: AsyncParsableCommand {
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
        @OptionGroup var who: NamedPerson

        @Flag(name: .long, help: "Let screens, apps and authenticators go on that the person had before the lock.")
        var keepDevices = false

        func run() async throws {
            try await ending {
                let now = TimeSource.system.now()
                let endsDevices = !keepDevices
                let person = try await who.change(admin, auditing: .personUnlocked) { person, repositories in
                    if endsDevices, person.standing == .locked { try repositories.endAll(of: person.subject, at: now) }
                    person.standing = .active
                    try repositories.people.update(person)
                }
                try admin.print(ShownPerson(person), or: "Unlocked \(person.username).")
            }
        }
    }

    /// `countersign admin user administrator`
    struct Administrator: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a person an administrator, who manages the services at /admin; or take the right away.",
            discussion: """
                Examples:
                  countersign admin user administrator anna
                  countersign admin user administrator anna --off
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var who: NamedPerson

        @Flag(name: .long, help: "Take the right away.")
        var off = false

        func run() async throws {
            try await ending {
                let isAdministrator = !off
                let act: AuditAct = off ? .personUnmadeAdministrator : .personMadeAdministrator
                let person = try await who.change(admin, auditing: act) { person, repositories in
                    person.isAdministrator = isAdministrator
                    try repositories.people.update(person)
                }
                let text = off ? "is no administrator now" : "is an administrator now"
                try admin.print(ShownPerson(person), or: "\(person.username) \(text).")
            }
        }
    }

    /// `countersign admin user remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a person, and sign them out everywhere."
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var who: NamedPerson

        func run() async throws {
            try await ending {
                let now = TimeSource.system.now()
                let person = try await who.change(admin, auditing: .personRemoved) { person, repositories in
                    try repositories.endAll(of: person.subject, at: now)
                    try repositories.identities.removeAll(of: person.subject)
                    _ = try repositories.removeFactors(of: person.subject)
                    try repositories.phoneNumbers.removeAll(of: person.subject)
                    try repositories.mutes.removeAll(of: person.subject)
                    _ = try repositories.people.remove(person.subject)
                }
                try admin.print(["removed": person.username.rawValue], or: "Removed \(person.username).")
            }
        }
    }
}

/// The person that a command is about.
struct NamedPerson: ParsableArguments {
    @Argument(help: "The name by which the person signs in, or their e-mail address.")
    var username: String

    /// Changes the person as one step; `act` may run more than once.
    func change(
        _ admin: AdminOptions,
        auditing audited: AuditAct,
        _ act: @escaping @Sendable (inout Person, any Repositories) throws -> Void
    ) async throws -> Person {
        let name = PersonName(username)
        let now = TimeSource.system.now()
        let changed = try await admin.withStore { store in
            try await store.change { repositories -> Person? in
                guard var person = try name.find(in: repositories) else { return nil }
                try act(&person, repositories)
                try repositories.record(.operator(now, audited, subject: person.subject))
                return person
            }
        }
        guard let changed else { throw Failure("There is nobody called \(username).") }
        return changed
    }
}

/// A person as the command shows them.
struct ShownPerson: Encodable {
    let username: String
    let subject: String
    let name: String
    let email: String?
    let standing: String
    let isAdministrator: Bool
    let created: Date

    init(_ person: Person) {
        username = person.username.rawValue
        subject = person.subject.rawValue
        name = person.name
        email = person.email
        standing = person.standing.rawValue
        isAdministrator = person.isAdministrator
        created = person.created
    }

    enum CodingKeys: String, CodingKey {
        case username, subject, name, email, standing, created
        case isAdministrator = "administrator"
    }
}
