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
            let claim = try name
            let source = try source
            let form = try form.map { form in
                try ClaimMapping.Form(rawValue: form).or(usage: "--as is list or text; not \(form).")
            }
            let scope = try scope.map { scope in
                try ScopeWord(parsing: scope).or(usage: "--scope is one word of a scope; not \(scope).")
            }
            let missing = try await creation.allowed(in: admin.storage)
            do {
                let mapping = try await admin.withStore(whenMissing: missing) {
                    try await $0.claims.add(claim, from: source, as: form, in: scope)
                }
                return CommandOutput(
                    mapping.members, "Declared the claim \(claim). Clients get it with the scope \(mapping.scope).")
            } catch let refused as ClaimRegistry.DeclarationError {
                throw CommandError(words(of: refused))
            }
        }

        private var name: ClaimName {
            get throws {
                do throws(ClaimName.ParsingError) {
                    return try ClaimName(parsing: claim)
                } catch {
                    let words =
                        switch error {
                        case .form: "A claim's name has 1 to 128 letters and digits of ASCII and . _ - : /"
                        case .reserved:
                            "The claim \(claim) has a meaning of its own, which this server or a protocol gives it. "
                                + "Take another name."
                        }
                    throw CommandError.usage(words)
                }
            }
        }

        private var source: ClaimMapping.Source {
            get throws {
                if let name = from.prefix("attribute:") {
                    guard value.isEmpty else { throw CommandError.usage("--value belongs to --from groups.") }
                    return .attribute(
                        try AttributeName(parsing: name).or(
                            usage: "An attribute's name has 1 to 64 letters and digits of ASCII and . _ -"))
                }
                guard from == "groups" else {
                    throw CommandError.usage("--from is groups, or as attribute:department; not \(from).")
                }
                return .groups(
                    try value.map { text in
                        guard let named = NamedValue(parsing: text), let group = GroupName(parsing: named.name) else {
                            throw CommandError.usage(
                                "--value takes a group and its value, as in admins=Admin; not \(text).")
                        }
                        return ClaimMapping.GroupValue(group, named.value)
                    })
            }
        }

        private func words(of refused: ClaimRegistry.DeclarationError) -> String {
            switch refused {
            case .taken: "The claim \(claim) is declared already. Remove it first."
            case .scopeNeeded:
                """
                Say by --scope which word of a scope gives \(claim), as in --scope \(claim). Clients that are registered \
                for that word get it: countersign admin client change
                """
            case .tooMany: "There are \(ClaimMapping.most) declared claims, and can be no more."
            case .values:
                "A claim has at most \(ClaimMapping.mostValues) values of 1 to \(ClaimMapping.longestValue) characters."
            case .noGroup(let name): "There is no group \(name). Add it first: countersign admin group add \(name)"
            }
        }
    }
}

extension String {
    /// The rest after a beginning; `nil` for a text that begins otherwise.
    fileprivate func prefix(_ beginning: String) -> String? {
        hasPrefix(beginning) ? String(dropFirst(beginning.count)) : nil
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
            "claim": \.claim.rawValue, "from": \.from, "values": { $0.values?.joined(separator: " ") },
            "as": \.form.rawValue, "scope": \.scope.rawValue,
        ]
    }

    var members: OutputMembers {
        [
            "claim": claim.rawValue, "from": from, "values": values, "as": form.rawValue, "scope": scope.rawValue,
            "created": created,
        ]
    }

    private var from: String {
        switch source {
        case .groups: "groups"
        case .attribute(let name): "attribute:\(name)"
        }
    }

    private var values: [String]? {
        guard case .groups(let values) = source, !values.isEmpty else { return nil }
        return values.map { "\($0.group)=\($0.value)" }
    }

    static func identifier(_ text: String) -> ClaimName? { ClaimName(rawValue: text) }
    static func all(in store: any Store) async throws -> [Self] { try await store.claims.all() }
    static func remove(_ id: ClaimName, from store: any Store) async throws -> Bool {
        try await store.claims.remove(id)
    }
}
