internal import ArgumentParser
internal import CountersignServer

/// A listed noun of `countersign admin`.
protocol ListableNoun: Sendable {
    static var columns: Columns<Self> { get }
    /// The sentence in place of an empty list.
    static var none: String { get }
    /// The JSON of one.
    var members: OutputMembers { get }
}

extension ListableNoun {
    static var none: String { "None." }

    /// The output that lists `all`.
    static func output(_ all: [Self]) -> CommandOutput {
        CommandOutput(all, as: \.members, in: columns, none: none)
    }
}

/// A noun that a store has a list of.
protocol StoredNoun: ListableNoun {
    static var listAbstract: String { get }
    static func all(in store: any Store) async throws -> [Self]
}

/// `countersign admin NOUN list`
struct ListCommand<Noun: StoredNoun>: AdminAction {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "list", abstract: Noun.listAbstract)
    }

    @OptionGroup var admin: AdminOptions

    func output() async throws -> CommandOutput {
        Noun.output(try await admin.withStore { try await Noun.all(in: $0) })
    }
}

/// A noun that an operator names one of, by the first column of its list.
protocol IdentifiableNoun: StoredNoun {
    associatedtype Identifier: Sendable

    /// The noun in a sentence, as in "There is no client tv."
    static var word: String { get }
    static var argument: ArgumentHelp { get }

    /// The identifier that was typed; `nil` when it can be that of none.
    static func identifier(_ text: String) -> Identifier?
}

extension IdentifiableNoun {
    /// The output of a change that may have changed nothing.
    func output(changed isChanged: Bool, as name: String) -> CommandOutput {
        let noun = "\(Self.word) \(name)"
        return CommandOutput(
            members, isChanged ? "Changed the \(noun)." : "The \(noun) stays as it was: nothing is different.")
    }
}

/// The one that a command is about.
struct NounArgument<Noun: IdentifiableNoun>: ParsableArguments {
    @Argument(help: Noun.argument)
    var text: String

    /// - Throws: ``isMissing`` for text that is no identifier.
    var id: Noun.Identifier {
        get throws {
            guard let id = Noun.identifier(text) else { throw isMissing }
            return id
        }
    }

    var isMissing: MissingNounError { MissingNounError(Noun.self, named: text) }
}

/// A noun with a command that shows one record.
protocol DescribableNoun: IdentifiableNoun {
    static var showAbstract: String { get }
    /// The lines for a person.
    var details: KeyValuePairs<String, String> { get }

    static func find(_ id: Identifier, in store: any Store) async throws -> Self?
}

/// `countersign admin NOUN show`
struct ShowCommand<Noun: DescribableNoun>: AdminAction {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "show", abstract: Noun.showAbstract)
    }

    @OptionGroup var admin: AdminOptions
    @OptionGroup var named: NounArgument<Noun>

    func output() async throws -> CommandOutput {
        let found = try await admin.withStore { try await Noun.find(try named.id, in: $0) }
        guard let found else { throw named.isMissing }
        return CommandOutput(found.members, OutputTable.lines(found.details))
    }
}

/// A noun that is removed by its name alone.
protocol RemovableNoun: IdentifiableNoun {
    static var removeAbstract: String { get }

    /// Reads the loss by the removal of one; `nil` when it does not exist.
    static func loss(of id: Identifier, in store: any Store) async throws -> Loss?
    /// Removes one, and returns whether it existed.
    static func remove(_ id: Identifier, from store: any Store) async throws -> Bool
}

extension RemovableNoun {
    static func loss(of id: Identifier, in store: any Store) async throws -> Loss? {
        let exists = try await all(in: store).contains { columns.first?.value($0) == "\(id)" }
        return exists ? Loss("the \(word) \(id)") : nil
    }
}

/// `countersign admin NOUN remove`
struct RemoveCommand<Noun: RemovableNoun>: DestructiveAction {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "remove", abstract: Noun.removeAbstract)
    }

    @OptionGroup var admin: AdminOptions
    @OptionGroup var named: NounArgument<Noun>
    @OptionGroup var confirmation: ConfirmationOption

    func loss() async throws -> Loss? {
        let loss = try await admin.withStore { try await Noun.loss(of: try named.id, in: $0) }
        guard let loss else { throw named.isMissing }
        return loss
    }

    func confirmedOutput() async throws -> CommandOutput {
        let existed = try await admin.withStore { try await Noun.remove(try named.id, from: $0) }
        guard existed else { throw named.isMissing }
        return CommandOutput(["removed": named.text], "Removed the \(Noun.word) \(named.text).")
    }
}
