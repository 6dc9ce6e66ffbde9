internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

extension UserCommand {
    /// `countersign admin user phone`
    struct Phone: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Manage the telephone numbers of people.",
            discussion: """
                A number belongs to one person. The first device of theirs that proves it by a code has it at once; for \
                another person's device it moves only after a waiting time.
                """,
            subcommands: [Add.self, PersonListCommand<PhoneNumberRecord>.self, Remove.self]
        )

        /// `countersign admin user phone add`
        struct Add: AdminAction {
            static let configuration = CommandConfiguration(
                abstract: "Enter a number of a person, who is known to have it.",
                discussion: """
                    Example:
                      countersign admin user phone add anna +31612345678
                    """
            )

            @OptionGroup var admin: AdminOptions
            @OptionGroup var who: PersonArgument
            @OptionGroup var named: PhoneNumberArgument

            func output() async throws -> CommandOutput {
                let number = try named.number
                let now = TimeSource.system.now()
                _ = try await who.change(admin, auditing: .phoneNumberAdded) { person, repositories in
                    if let held = try repositories.phoneNumbers.find(number) {
                        throw CommandError(
                            held.subject == person.subject
                                ? "\(person.username) has the number \(number.text) already."
                                : "Another person has the number \(number.text); remove it there first."
                        )
                    }
                    try repositories.phoneNumbers.keep(PhoneNumberRecord(number, of: person.subject, verified: now))
                }
                return CommandOutput(["number": number.text], "\(who.username) has the number \(number.text).")
            }
        }

        /// `countersign admin user phone remove`
        struct Remove: DestructiveAction {
            static let configuration = CommandConfiguration(
                abstract: "Take a number away from a person; their device has to prove one again.")

            @OptionGroup var admin: AdminOptions
            @OptionGroup var who: PersonArgument
            @OptionGroup var named: PhoneNumberArgument
            @OptionGroup var confirmation: ConfirmationOption

            func loss() async throws -> Loss? {
                let number = try named.number
                return try await admin.read { [who] repositories in
                    let person = try who.find(in: repositories)
                    try Self.require(number, of: person, in: repositories)
                    return Loss("the number \(number.text) of \(person.username)")
                }
            }

            func confirmedOutput() async throws -> CommandOutput {
                let number = try named.number
                _ = try await who.change(admin, auditing: .phoneNumberRemoved) { person, repositories in
                    try Self.require(number, of: person, in: repositories)
                    try PhoneNumbers(repositories).remove(number)
                }
                return CommandOutput(["removed": number.text], "Removed \(number.text).")
            }

            private static func require(
                _ number: PhoneNumber, of person: Person, in repositories: any Repositories
            ) throws {
                guard try repositories.phoneNumbers.find(number)?.subject == person.subject else {
                    throw CommandError("\(person.username) does not have the number \(number.text).")
                }
            }
        }
    }
}

/// The telephone number that a command is about.
struct PhoneNumberArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The telephone number, with + and the calling code.", valueName: "number"))
    var text: String

    /// - Throws: a ``CommandError`` for text that is no number.
    var number: PhoneNumber {
        get throws {
            do throws(PhoneNumber.ParsingError) {
                return try PhoneNumber(text)
            } catch {
                throw CommandError("\(text) is \(error.rawValue).")
            }
        }
    }
}

extension PhoneNumberRecord: PersonalNoun {
    static let listAbstract = "List the numbers of a person."

    static var columns: Columns<Self> {
        [
            "number": \.number.text, "proved by": { $0.device?.rawValue ?? "an operator" },
            "since": { $0.verified.formatted(.iso8601) }, "moves": { $0.move?.due.formatted(.iso8601) },
        ]
    }

    var members: OutputMembers {
        ["number": number.text, "device": device?.rawValue, "verified": verified, "moves": move?.due]
    }

    static func all(of person: Person, in repositories: any Repositories) throws -> [Self] {
        try repositories.phoneNumbers.all(of: person.subject)
    }
}
