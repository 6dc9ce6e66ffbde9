internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import NIOPosix

extension UserCommand {
    /// `countersign admin user import`
    struct Import: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Import people from CSV, JSON or another system's export, with their password hashes.",
            discussion: """
                The first line of CSV names the columns; JSON has an object in each line, with members of these names: \
                username, name, email, email_verified, password_hash, password, subject, administrator and standing. \
                Only username is required. Hashes are those of bcrypt, PBKDF2, Argon2id, SHA-512 and scrypt, also as \
                Django, Keycloak and ASP.NET Core Identity write them.

                A Keycloak realm's export, Glewlwyd's list of users and a directory's LDIF are read with groups and \
                attributes; the report names what is not taken, such as a hash of a form that is not known.

                A line that is refused is named with its number, and nothing of it is stored. An import that was \
                interrupted is run once more: people who are there are left as they are.

                Examples:
                  countersign admin user import people.csv --dry-run
                  countersign admin user import people.jsonl --update
                  countersign admin user import realm-export.json --dry-run
                  slapcat | countersign admin user import - --format ldif
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var creation: DatabaseCreation

        @Argument(help: ArgumentHelp("The file; '-' for standard input.", valueName: "file"))
        var file: String

        @Option(help: "csv, jsonl, keycloak, glewlwyd or ldif. (default: as the file begins)")
        var format: ImportFormat?

        @Flag(help: "Read everything and report, without storing anything.")
        var dryRun = false

        @Flag(help: "Change the names, addresses and imported hashes of people who are there.")
        var update = false

        @Flag(help: "Vouch for the e-mail addresses in LDIF and Glewlwyd's list: people sign in by them.")
        var emailsVerified = false

        func output() async throws -> CommandOutput {
            let file = try ImportFile(in: file, as: format)
            let people = PeopleImport(
                updates: update,
                vouchesForEmails: emailsVerified,
                isDry: dryRun,
                hasher: PasswordHasher(cost: .standard, drawingFrom: .system, on: .singleton),
                notices: try await admin.storage.accountNotices(),
                time: .system,
                mint: CodeMint(drawingFrom: .system)
            )
            let shows = Terminal.showsProgress
            defer { if shows { Terminal.prompt("\r\u{1B}[K") } }
            return try await creation.withStore(of: admin, isDry: dryRun) { store in
                try await people.run(file, in: store) { count in
                    if shows { Terminal.prompt("\r\(count) of \(file.records.count) people") }
                }
            }.output
        }
    }
}
