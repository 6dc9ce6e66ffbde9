internal import ArgumentParser

/// `countersign admin migrate`
struct MigrateCommand: OutputCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the tables of the database up to date.",
        discussion: """
            A new version may need other tables. The embedded database gets them when it is opened. A shared one gets \
            them only by this command, so that nodes of the version before are not surprised: make a backup, stop \
            the nodes, run this, start the new ones.
            """
    )

    @OptionGroup var storage: StoreOptions

    func output() async throws -> CommandOutput {
        let opened = try storage.open(by: try storage.settings(), isMigrating: true)
        try await opened.close()
        return CommandOutput(words: "The database is up to date.")
    }
}
