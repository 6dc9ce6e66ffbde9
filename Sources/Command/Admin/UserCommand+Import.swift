internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import NIOPosix

extension UserCommand {
    /// `countersign admin user import`
    struct Import: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Import people from CSV or lines of JSON, with their password hashes.",
            discussion: """
                The first line of CSV names the columns; JSON has an object in each line, with members of these names:
                username, name, email, email_verified, password_hash, password, subject, administrator and standing.
                Only username is required. Hashes are those of bcrypt, PBKDF2, Argon2id, SHA-512 and scrypt, also as
                Django, Keycloak and ASP.NET Core Identity write them.

                A line that is refused is named with its number, and nothing of it is stored. An import that was
                interrupted is run once more: people who are there are left as they are.

                Examples:
                  countersign admin user import people.csv --dry-run
                  countersign admin user import people.jsonl --update
                  countersign admin user import - < people.csv
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var creation: DatabaseCreation

        @Argument(help: ArgumentHelp("The file; '-' for standard input.", valueName: "file"))
        var file: String

        @Flag(help: "Read everything and report, without storing anything.")
        var dryRun = false

        @Flag(help: "Change the names, addresses and imported hashes of people who are there.")
        var update = false

        func output() async throws -> CommandOutput {
            let records = try ImportFile.records(in: file)
            let missing = dryRun ? .refuse : try await creation.allowed(in: admin.storage)
            let people = PeopleImport(
                updates: update,
                isDry: dryRun,
                hasher: PasswordHasher(cost: .standard, drawingFrom: .system, on: .singleton),
                time: .system,
                mint: CodeMint(drawingFrom: .system)
            )
            let shows = Terminal.showsProgress
            defer { if shows { Terminal.prompt("\r\u{1B}[K") } }
            return try await admin.withStore(whenMissing: missing) { store in
                try await people.run(records, in: store) { count in
                    if shows { Terminal.prompt("\r\(count) of \(records.count) lines") }
                }
            }.output
        }
    }
}
