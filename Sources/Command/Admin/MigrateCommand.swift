internal import ArgumentParser

/// `countersign admin migrate`
struct MigrateCommand: OutputCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the tables of the database up to date.",
        discussion: """
            A new version may need more tables. The embedded database gets them when it is opened. A shared one gets \
            them only by this command: make a backup, run this with the new version, then replace the nodes one after \
            another. Those of the version before go on meanwhile.
            """
    )

    @OptionGroup var storage: StoreOptions

    func output() async throws -> CommandOutput {
        let opened = try storage.open(by: try storage.settings(), isMigrating: true)
        try await opened.close()
        return CommandOutput(words: "The database is up to date.")
    }
}
