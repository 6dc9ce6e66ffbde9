internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import Foundation

/// `countersign admin group`: the groups of people.
struct GroupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group",
        abstract: "Manage the groups of people, which apps learn with the scope groups.",
        discussion: """
            A group has people and other groups as members; whoever is in a group is in all groups around it, too. \
            The setting required-groups of serve says which words of a scope are only for a group.
            """,
        subcommands: [
            Add.self, ListCommand<Group>.self, Show.self, RemoveCommand<Group>.self, Member.self,
        ]
    )

    /// `countersign admin group add`
    struct Add: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Add a group without members.",
            discussion: """
                Example:
                  countersign admin group add staff --note "All who work here"
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var creation: DatabaseCreation

        @Argument(help: "Its name, as apps learn it.")
        var name: String

        @Option(help: "A note for operators.")
        var note: String?

        func output() async throws -> CommandOutput {
            let name = try GroupName(parsing: name).or(
                usage: "A group's name has 1 to \(GroupName.longest) letters and digits of ASCII and . _ - @ + : /")
            if let note, !note.isLine(of: 1...200) {
                throw CommandError.usage("--note is one line of 1 to 200 characters.")
            }
            let missing = try await creation.allowed(in: admin.storage)
            let group = try await Group.refusing {
                try await admin.withStore(whenMissing: missing) { try await $0.groups.add(name, note: note) }
            }
            return CommandOutput(group.members, "Added the group \(name).")
        }
    }

    /// `countersign admin group show`
    struct Show: AdminAction {
        static let configuration = CommandConfiguration(abstract: "Show a group with its members.")

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NounArgument<Group>

        private static func listed(_ names: [String]) -> String {
            names.isEmpty ? "none" : names.joined(separator: " ")
        }

        func output() async throws -> CommandOutput {
            let found = try await admin.withStore { try await $0.groups.find(try named.id) }
            guard let found else { throw named.isMissing }
            let group = found.group
            let names = found.people.map(\.username.rawValue).sorted()
            let inner = found.groups.map(\.rawValue)
            return CommandOutput(
                group.members.adding("groups", inner).adding("people", names).adding("complete", found.isComplete),
                OutputTable.lines([
                    "group": group.name.rawValue, "note": group.note ?? "none",
                    "member of": Self.listed(group.memberOf.map(\.rawValue)), "groups": Self.listed(inner),
                    "people": Self.listed(names) + (found.isComplete ? "" : " and more"),
                    "created": group.created.formatted(.iso8601),
                ])
            )
        }
    }

    /// `countersign admin group member`
    struct Member: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put people and groups into a group, and take them out.", subcommands: [Add.self, Remove.self])

        /// `countersign admin group member add`
        struct Add: AdminAction {
            static let configuration = CommandConfiguration(
                abstract: "Put people and groups into a group. The next tokens say so.",
                discussion: """
                    Examples:
                      countersign admin group member add staff anna ben
                      countersign admin group member add everybody --group staff
                    """
            )

            @OptionGroup var admin: AdminOptions
            @OptionGroup var named: NounArgument<Group>
            @OptionGroup var who: MemberArguments

            func output() async throws -> CommandOutput {
                let name = try named.id
                try await Group.refusing {
                    try await admin.withStore { try await $0.groups.add(try await who.members(in: $0), to: name) }
                }
                return CommandOutput(
                    ["group": name.rawValue, "added": who.names], "Put \(who.shown) into \(name).")
            }
        }

        /// `countersign admin group member remove`
        struct Remove: AdminAction {
            static let configuration = CommandConfiguration(
                abstract: """
                    Take people and groups out of a group. Scopes that need the group end at once; apps learn of it \
                    with their next tokens.
                    """)

            @OptionGroup var admin: AdminOptions
            @OptionGroup var named: NounArgument<Group>
            @OptionGroup var who: MemberArguments

            func output() async throws -> CommandOutput {
                let name = try named.id
                let (asked, removed) = try await Group.refusing {
                    try await admin.withStore { store in
                        let members = try await who.members(in: store)
                        return (members, try await store.groups.remove(members, from: name))
                    }
                }
                guard asked.count == removed.count else {
                    throw CommandError(
                        removed.isEmpty
                            ? "None of them was a member of \(name)."
                            : "Only \(removed.count) of them were members of \(name), and are no more.")
                }
                return CommandOutput(
                    ["group": name.rawValue, "removed": who.names], "Took \(who.shown) out of \(name).")
            }
        }
    }
}

/// The people and groups that a command puts into a group or takes out.
struct MemberArguments: ParsableArguments {
    @Argument(help: "The names by which people sign in, or their e-mail addresses.")
    var people: [String] = []

    @Option(help: "A group. Repeatable.")
    var group: [String] = []

    func validate() throws {
        guard !(people.isEmpty && group.isEmpty) else { throw ValidationError("Name people, or a --group.") }
    }

    var names: [String] { people + group }
    var shown: String { names.formatted(.list(type: .and).locale(Locale(identifier: "en_GB"))) }

    /// The members.
    ///
    /// - Throws: a ``CommandError`` when there is no such person.
    func members(in store: any Store) async throws -> [GroupRegistry.Member] {
        try await store.read { repositories in
            let subjects = try people.map { try Person.find($0, in: repositories).subject }
            return subjects.map { .person($0) } + group.map { .group(GroupName(rawValue: $0)) }
        }
    }
}

extension Group: RemovableNoun {
    static let word = "group"
    static let listAbstract = "List all groups."
    static let none = "No groups yet."
    static let removeAbstract = "Remove a group, and all memberships in it."
    static var argument: ArgumentHelp { ArgumentHelp("The group's name.", valueName: "group") }

    static var columns: Columns<Self> {
        [
            "group": \.name.rawValue, "note": \.note,
            "member of": { $0.memberOf.isEmpty ? nil : $0.memberOf.map(\.rawValue).joined(separator: " ") },
        ]
    }

    var members: OutputMembers {
        ["group": name.rawValue, "note": note, "member_of": memberOf.map(\.rawValue), "created": created]
    }

    static func identifier(_ text: String) -> GroupName? { GroupName(parsing: text) }
    static func all(in store: any Store) async throws -> [Self] { try await store.groups.all() }
    static func loss(of id: GroupName, in store: any Store) async throws -> Loss? {
        try await store.read { repositories in
            guard try repositories.groups.find(id) != nil else { return nil }
            let members = try repositories.groups.members(of: id, after: nil, limit: Loss.most)
            return Loss("the group \(id)").and(members.count, "membership")
        }
    }
    static func remove(_ id: GroupName, from store: any Store) async throws -> Bool {
        try await refusing { try await store.groups.remove(id) }
    }

    /// Runs `body`, and turns a refusal into a ``CommandError`` with its sentence.
    fileprivate static func refusing<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let refused as GroupRegistry.ChangeError {
            let words =
                switch refused {
                case .taken: "There is a group of that name already."
                case .tooMany: "There are \(Group.most) groups, and can be no more."
                case .noGroup(let name): "There is no group \(name)."
                case .noPerson: "Somebody of these was removed meanwhile."
                case .named(let claim):
                    "The claim \(claim) has a value for this group. Remove it first: countersign admin claim remove \(claim)"
                case .cycle(let name): "The group \(name) contains that one already, or is it, so it cannot be in it."
                }
            throw CommandError(words)
        }
    }
}
