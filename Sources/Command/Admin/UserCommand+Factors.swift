internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension UserCommand {
    /// `countersign admin user factors`
    struct Factors: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a person's passkeys and one-time passwords; or remove them, for a person who lost theirs.",
            discussion: """
                Make sure that it is the person who asks. Afterwards their password alone signs them in, and their browsers
                are signed out.

                Examples:
                  countersign admin user factors anna
                  countersign admin user factors anna --remove
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var who: NamedPerson

        @Flag(name: .long, help: "Remove all of them, and sign the person's browsers out.")
        var remove = false

        func run() async throws {
            try await ending { remove ? try await removeAll() : try await show() }
        }

        private func show() async throws {
            let name = PersonName(who.username)
            let shown = try await admin.withStore { store in
                try await store.read { repositories -> ShownFactors? in
                    guard let person = try name.find(in: repositories) else { return nil }
                    return try ShownFactors(of: person, in: repositories)
                }
            }
            guard let shown else { throw Failure("There is nobody called \(who.username).") }
            try admin.print(shown, or: shown.text)
        }

        private func removeAll() async throws {
            let now = TimeSource.system.now()
            let person = try await who.change(admin, auditing: .personFactorsRemoved) { person, repositories in
                _ = try repositories.removeFactors(of: person.subject)
                try repositories.endBrowserSessions(of: person.subject, at: now)
            }
            try admin.print(
                ShownPerson(person), or: "Removed the passkeys and one-time passwords of \(person.username).")
        }
    }
}

/// The factors of a person beside their password, as the command shows them.
private struct ShownFactors: Encodable, Sendable {
    struct Passkey: Encodable, Sendable {
        let id: CredentialID
        let name: String
        let created: Date
        let lastUsed: Date?

        enum CodingKeys: String, CodingKey {
            case id = "credential_id"
            case name, created
            case lastUsed = "last_used"
        }
    }

    let passkeys: [Passkey]
    let hasOneTimePasswords: Bool
    let recoveryCodesLeft: Int

    init(of person: Person, in repositories: any Repositories) throws {
        passkeys = try repositories.passkeys.all(of: person.subject).map {
            Passkey(id: $0.passkey.id, name: $0.name, created: $0.created, lastUsed: $0.lastUsed)
        }
        hasOneTimePasswords = try repositories.oneTimePasswords.find(person.subject) != nil
        recoveryCodesLeft = try repositories.recoveryCodes.find(person.subject)?.count ?? 0
    }

    var text: String {
        guard !passkeys.isEmpty || hasOneTimePasswords else { return "None." }
        var table = TextTable(["factor", "name", "created", "last used"])
        for passkey in passkeys {
            table.add([
                "passkey", passkey.name, passkey.created.formatted(.iso8601),
                passkey.lastUsed?.formatted(.iso8601) ?? "never",
            ])
        }
        if hasOneTimePasswords {
            table.add(["one-time passwords", "\(recoveryCodesLeft) recovery codes left", "", ""])
        }
        return table.text
    }

    enum CodingKeys: String, CodingKey {
        case passkeys
        case hasOneTimePasswords = "one_time_passwords"
        case recoveryCodesLeft = "recovery_codes_left"
    }
}
