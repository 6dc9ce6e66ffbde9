internal import ArgumentParser

extension TokenCommand {
    /// `countersign token exec`
    struct Exec: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Run a program with an access token that works in its environment.",
            discussion: """
                The program takes the place of this command, so that signals and its exit status are its own. The token is \
                in $COUNTERSIGN_TOKEN, and with --file in a file without a name that $COUNTERSIGN_TOKEN_FILE leads to, \
                where other programs of yours do not read it so easily:

                    countersign token exec --env GITLAB_TOKEN -- glab repo list

                It is not renewed while the program runs. A program that cannot be run is status 126, and one that was not \
                found 127, as of env and nohup.
                """
        )

        @OptionGroup var use: TokenUseOptions

        @Option(
            name: .customLong("env"),
            help: ArgumentHelp(
                "The variable. (default: COUNTERSIGN_TOKEN, with --file COUNTERSIGN_TOKEN_FILE)", valueName: "name"))
        var variable: String?

        @Flag(help: "Put the path of a file with the token into the variable, and not the token itself.")
        var file = false

        @Argument(parsing: .postTerminator, help: "The program and its arguments, after --.")
        var command: [String] = []

        func run() async throws {
            let successor = SuccessorProgram()
            try await ending {
                guard !command.isEmpty else { throw CommandError.usage("Name the program, after --.") }
                let name = variable ?? (file ? "COUNTERSIGN_TOKEN_FILE" : "COUNTERSIGN_TOKEN")
                guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "=") })
                else { throw CommandError.usage("\(name.shown) is no name of a variable.") }
                try await untilInterrupted {
                    let token = try await use.token(.access).revealed
                    use.server.restoreEnvironment()
                    let value = file ? try successor.file(with: token) : token
                    try successor.run(command, with: (name, value))
                }
            }
        }
    }
}
