internal import ArgumentParser
internal import Countersign
internal import CountersignServer

extension ClientCommand {
    /// `countersign admin client import`
    struct Import: AdminAction {
        static let configuration = CommandConfiguration(
            abstract:
                "Register the clients of Keycloak's or Glewlwyd's export; confidential ones get a new secret each.",
            discussion: """
                The file is a Keycloak realm's export, or the list of Glewlwyd's clients (GET /api/client). Names, \
                addresses, web origins and flows are taken. A redirect URI with a wildcard is not, nor is a flow that \
                the server does not offer; a client of which nothing is left is refused, and named with the reason. \
                Clients that are there stay as they are, so an import can be run once more.

                Examples:
                  countersign admin client import realm-export.json --dry-run
                  countersign admin client import - < glewlwyd-clients.json
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var creation: DatabaseCreation

        @Argument(help: ArgumentHelp("The file; '-' for standard input.", valueName: "file"))
        var file: String

        @Flag(help: "Read everything and report, without storing anything.")
        var dryRun = false

        func output() async throws -> CommandOutput {
            let (data, source) = try ImportFile.data(in: file)
            let foreign = try ForeignClients(try ImportFile.bytes(of: data, called: source), called: source)
            let clients = ClientImport(isDry: dryRun, time: .system, mint: CodeMint(drawingFrom: .system))
            return try await creation.withStore(of: admin, isDry: dryRun) { store in
                try await clients.run(foreign, in: store)
            }.output
        }
    }
}
