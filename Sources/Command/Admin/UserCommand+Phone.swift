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
    /// `countersign admin user phone`
    struct Phone: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Manage the telephone numbers of people.",
            discussion: """
                A number belongs to one person. The first device of theirs that proves it by a code has it at once; for \
                another person's device it moves only after a waiting time.
                """,
            subcommands: [Add.self, List.self, Remove.self]
        )

        /// `countersign admin user phone list`
        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "List the numbers of a person.")

            @OptionGroup var admin: AdminOptions
            @OptionGroup var who: NamedPerson

            func run() async throws {
                try await ending {
                    let name = PersonName(who.username)
                    let numbers = try await admin.withStore { store in
                        try await store.read { repositories -> [PhoneNumberRecord]? in
                            guard let person = try name.find(in: repositories) else { return nil }
                            return try repositories.phoneNumbers.all(of: person.subject)
                        }
                    }
                    guard let numbers else { throw Failure("There is nobody called \(who.username).") }
                    var table = TextTable(["number", "proved by", "since", "moves"])
                    for record in numbers {
                        table.add([
                            record.number.text, record.device?.rawValue ?? "an operator",
                            record.verified.formatted(.iso8601), record.move?.due.formatted(.iso8601) ?? "",
                        ])
                    }
                    try admin.print(numbers.map { ShownNumber($0) }, or: numbers.isEmpty ? "None." : table.text)
                }
            }
        }

        /// `countersign admin user phone add`
        struct Add: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Enter a number of a person, who is known to have it.",
                discussion: """
                    Example:
                      countersign admin user phone add anna +31612345678
                    """
            )

            @OptionGroup var admin: AdminOptions
            @OptionGroup var who: NamedPerson
            @OptionGroup var named: NamedNumber

            func run() async throws {
                try await ending {
                    let number = try named.number
                    let now = TimeSource.system.now()
                    _ = try await who.change(admin, auditing: .phoneNumberAdded) { person, repositories in
                        if let held = try repositories.phoneNumbers.find(number) {
                            throw Failure(
                                held.subject == person.subject
                                    ? "\(person.username) has the number \(number.text) already."
                                    : "Another person has the number \(number.text); remove it there first."
                            )
                        }
                        try repositories.phoneNumbers.keep(
                            PhoneNumberRecord(number, of: person.subject, verified: now))
                    }
                    try admin.print(["number": number.text], or: "\(who.username) has the number \(number.text).")
                }
            }
        }

        /// `countersign admin user phone remove`
        struct Remove: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Take a number away from a person; their device has to prove one again."
            )

            @OptionGroup var admin: AdminOptions
            @OptionGroup var who: NamedPerson
            @OptionGroup var named: NamedNumber

            func run() async throws {
                try await ending {
                    let number = try named.number
                    _ = try await who.change(admin, auditing: .phoneNumberRemoved) { person, repositories in
                        guard try repositories.phoneNumbers.find(number)?.subject == person.subject else {
                            throw Failure("\(person.username) does not have the number \(number.text).")
                        }
                        try repositories.removePhoneNumber(number)
                    }
                    try admin.print(["removed": number.text], or: "Removed \(number.text).")
                }
            }
        }
    }
}

/// The telephone number that a command is about.
struct NamedNumber: ParsableArguments {
    @Argument(help: ArgumentHelp("The telephone number, with + and the calling code.", valueName: "number"))
    var text: String

    /// - Throws: a ``Failure`` for text that is no number.
    var number: PhoneNumber {
        get throws {
            do throws(PhoneNumber.Problem) {
                return try PhoneNumber(text)
            } catch {
                throw Failure("\(text) is \(error.rawValue).")
            }
        }
    }
}

/// A number as the command shows it.
private struct ShownNumber: Encodable {
    let number: String
    let device: String?
    let verified: Date
    let moves: Date?

    init(_ record: PhoneNumberRecord) {
        number = record.number.text
        device = record.device?.rawValue
        verified = record.verified
        moves = record.move?.due
    }
}
