internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

extension UserCommand {
    /// `countersign admin user factors`
    struct Factors: DestructiveAction {
        static let configuration = CommandConfiguration(
            abstract: "Show a person's passkeys and one-time passwords; or remove them, for a person who lost theirs.",
            discussion: """
                Make sure that it is the person who asks. Afterwards their password alone signs them in, and their browsers \
                are signed out.

                Examples:
                  countersign admin user factors anna
                  countersign admin user factors anna --remove
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var who: PersonArgument

        @Flag(help: "Remove all of them, and sign the person's browsers out.")
        var remove = false

        @OptionGroup var confirmation: ConfirmationOption

        func loss() async throws -> Loss? {
            guard remove else { return nil }
            return try await admin.read { [who] in
                let person = try who.find(in: $0)
                return try PersonFactors(of: person, in: $0).loss(of: person)
            }
        }

        func confirmedOutput() async throws -> CommandOutput {
            guard remove else {
                return try await admin.read { [who] in try PersonFactors(of: try who.find(in: $0), in: $0) }.output
            }
            let notices = try await admin.storage.accountNotices()
            let person = try await who.act(admin) { try await $0.removeFactors(of: $1, telling: notices) }
            return CommandOutput(person.members, "Removed the passkeys and one-time passwords of \(person.username).")
        }
    }
}

/// The second factors of a person.
struct PersonFactors: Sendable {
    let passkeys: [PasskeyRecord]
    let hasOneTimePasswords: Bool
    let recoveryCodesLeft: Int

    init(of person: Person, in repositories: any Repositories) throws {
        passkeys = try repositories.passkeys.all(of: person.subject)
        hasOneTimePasswords = try repositories.oneTimePasswords.find(person.subject) != nil
        recoveryCodesLeft = try repositories.recoveryCodes.find(person.subject)?.count ?? 0
    }

    /// The loss by the removal of all of them.
    fileprivate func loss(of person: Person) -> Loss {
        Loss("the second factors of \(person.username)").and(passkeys.count, "passkey")
            .and(hasOneTimePasswords ? 1 : 0, "set of one-time passwords").and(recoveryCodesLeft, "recovery code")
    }

    fileprivate var output: CommandOutput {
        var rows = passkeys.map {
            ["passkey", $0.name, $0.created.formatted(.iso8601), $0.lastUsed?.formatted(.iso8601) ?? "never"]
        }
        if hasOneTimePasswords {
            rows.append(["one-time passwords", "\(recoveryCodesLeft) recovery codes left", "", ""])
        }
        let table = OutputTable.text(
            of: rows, in: ["factor": { $0[0] }, "name": { $0[1] }, "created": { $0[2] }, "last used": { $0[3] }])
        return CommandOutput(members, rows.isEmpty ? "None." : table)
    }

    var members: OutputMembers {
        [
            "passkeys": passkeys.map { passkey -> OutputMembers in
                [
                    "credential_id": passkey.passkey.id, "name": passkey.name, "created": passkey.created,
                    "last_used": passkey.lastUsed,
                ]
            },
            "one_time_passwords": hasOneTimePasswords, "recovery_codes_left": recoveryCodesLeft,
        ]
    }
}
