internal import ArgumentParser
internal import CountersignServer

/// A noun of people, of which a list may show that of one person.
protocol OwnedNoun: ListableNoun {
    static var listAbstract: String { get }
    /// Reads those of a person; all for `nil`.
    static func all(of person: Person?, in repositories: any Repositories) throws -> [Self]
}

extension OwnedNoun where Self: StoredNoun {
    static func all(in store: any Store) async throws -> [Self] {
        try await store.read { try all(of: nil, in: $0) }
    }
}

/// `countersign admin NOUN list --person NAME`
struct OwnedListCommand<Noun: OwnedNoun>: AdminAction {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "list", abstract: Noun.listAbstract)
    }

    @OptionGroup var admin: AdminOptions

    @Option(
        help: ArgumentHelp("Only those of this person: their user name or e-mail address.", valueName: "name"))
    var person: String?

    func output() async throws -> CommandOutput {
        Noun.output(
            try await admin.read { [person] repositories in
                try Noun.all(of: try person.map { try Person.find($0, in: repositories) }, in: repositories)
            })
    }
}

extension Person {
    /// Finds the person whom an operator named.
    ///
    /// - Throws: a ``CommandError`` when there is no such person.
    static func find(_ name: String, in repositories: any Repositories) throws -> Person {
        try PersonName(name).find(in: repositories).or(failure: "There is nobody called \(name).")
    }
}
