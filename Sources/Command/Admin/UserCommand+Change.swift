internal import ArgumentParser
internal import Countersign
internal import CountersignServer

extension UserCommand {
    /// `countersign admin user change`
    struct Change: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Change what apps learn of a person; what is not named stays as it is.",
            discussion: """
                An empty text takes a fact away. Attributes reach apps by claims: see 'admin claim add'.

                Examples:
                  countersign admin user change anna --name "Anna Example" --locale de-AT --zoneinfo Europe/Vienna
                  countersign admin user change anna --attribute department=Sales --attribute room=
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var who: PersonArgument

        @Option(help: "The name that is shown.")
        var name: String?

        @Option(help: "Their e-mail address, which you know to be theirs: they may sign in by it.")
        var email: String?

        @Option(help: "Their language, as in de-AT.")
        var locale: String?

        @Option(help: "Their time zone, as in Europe/Vienna.")
        var zoneinfo: String?

        @Option(help: ArgumentHelp("An attribute of your own. Repeatable.", valueName: "name=value"))
        var attribute: [String] = []

        func output() async throws -> CommandOutput {
            guard [name, email, locale, zoneinfo] != [nil, nil, nil, nil] || !attribute.isEmpty else {
                throw CommandError.usage(
                    "Say what to change: --name, --email, --locale, --zoneinfo or --attribute.")
            }
            var draft = PersonDraft()
            (draft.name, draft.email, draft.locale, draft.zoneInfo) = (name, email, locale, zoneinfo)
            draft.vouchesForEmail = email != nil
            draft.attributes = attribute
            let notices = try await admin.storage.accountNotices()
            let person = try await UserFacts.checked {
                try await who.act(admin) { [draft] in
                    try await $0.change($1, telling: notices) { try draft.apply(to: &$0) }
                }
            }
            return CommandOutput(person.members, "Changed \(person.username).")
        }
    }
}

/// The facts about people as operators type them.
enum UserFacts {
    /// - Throws: a ``CommandError`` for a name that is empty or has more than one line.
    static func name(_ text: String) throws -> String { try checked { try PersonDraft.name(text) } }

    /// - Throws: a ``CommandError`` for what is no address.
    static func email(_ text: String) throws -> EmailAddress { try checked { try PersonDraft.email(text) } }

    /// Runs `body`, and turns a refusal into a ``CommandError`` with its sentence.
    static func checked<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let refused as PersonDraftError {
            throw CommandError.usage("\(refused)")
        }
    }

    /// The same for a change of the store.
    static func checked<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let refused as PersonDraftError {
            throw CommandError.usage("\(refused)")
        } catch let taken as People.AddressTakenError {
            throw CommandError("\(taken)")
        }
    }
}
