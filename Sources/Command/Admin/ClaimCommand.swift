internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// `countersign admin claim`: the claims about people that operators declare.
struct ClaimCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "claim",
        abstract: "Declare claims for apps, from people's groups and attributes.",
        discussion: """
            A client gets a claim with the scope that gives it: in ID tokens, at /userinfo, in access tokens that are \
            JWTs, and by introspection. The claim groups needs no declaration.
            """,
        subcommands: [Add.self, ListCommand<ClaimMapping>.self, RemoveCommand<ClaimMapping>.self]
    )

    /// `countersign admin claim add`
    struct Add: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Declare a claim.",
            discussion: """
                With values, the claim has the values of the groups that the person is in, in this order; without, the \
                names of all their groups. As text it has the first one alone.

                Examples:
                  countersign admin claim add roles --from groups
                  countersign admin claim add grafana_role --from groups --as text \\
                      --value admins=Admin --value staff=Editor
                  countersign admin claim add department --from attribute:department --scope department
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var creation: DatabaseCreation

        @Argument(help: "The name of the claim.")
        var claim: String

        @Option(help: "The source of its values: groups, or attribute: with the name of an attribute.")
        var from: String

        @Option(help: ArgumentHelp("The value for the members of a group. Repeatable.", valueName: "group=value"))
        var value: [String] = []

        @Option(
            name: .customLong("as"), help: "Its form: list or text. (default: list of groups, text of an attribute)")
        var form: String?

        @Option(help: "The word of a scope that gives it; needed for an attribute. (default: groups)")
        var scope: String?

        func output() async throws -> CommandOutput {
            let draft = ClaimDraft(claim: claim, from: from, values: value, form: form ?? "", scope: scope ?? "")
            do {
                let declaration = try draft.declaration()
                let missing = try await creation.allowed(in: admin.storage)
                let mapping = try await admin.withStore(whenMissing: missing) { try await $0.claims.add(declaration) }
                return CommandOutput(
                    mapping.members, "Declared the claim \(claim). Clients get it with the scope \(mapping.scope).")
            } catch let refused as ClaimDraftError {
                throw CommandError.usage("\(refused)")
            } catch let refused as ClaimRegistry.DeclarationError {
                throw CommandError("\(refused)")
            }
        }
    }
}

extension ClaimMapping: RemovableNoun {
    static let word = "claim"
    static let listAbstract = "List all declared claims."
    static let none = "No declared claims."
    static let removeAbstract = "Remove a declared claim. Tokens that were issued keep it until they expire."
    static var argument: ArgumentHelp { ArgumentHelp("The name of the claim.", valueName: "claim") }

    static var columns: Columns<Self> {
        [
            "claim": \.claim.rawValue, "from": \.sourceText, "values": { $0.valueTexts.joined(separator: " ") },
            "as": \.form.rawValue, "scope": \.scope.rawValue,
        ]
    }

    var members: OutputMembers {
        [
            "claim": claim.rawValue, "from": sourceText, "values": valueTexts.isEmpty ? nil : valueTexts,
            "as": form.rawValue, "scope": scope.rawValue,
            "created": created,
        ]
    }

    static func identifier(_ text: String) -> ClaimName? { ClaimName(rawValue: text) }
    static func all(in store: any Store) async throws -> [Self] { try await store.claims.all() }
    static func remove(_ id: ClaimName, from store: any Store) async throws -> Bool {
        try await store.claims.remove(id)
    }
}
