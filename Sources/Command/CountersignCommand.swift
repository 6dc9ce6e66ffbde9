internal import ArgumentParser
internal import Foundation

/// The command `countersign`.
@main
struct CountersignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "countersign",
        abstract: "Sign in on one screen with what you already hold on another.",
        discussion: """
            EXIT CODES
              0    done
              1    it failed; standard error says why
              3    the person denied the request
              4    the code expired before anybody approved
              5    the server could not be reached
              6    the person said "not me", so the tokens were revoked
              7    the server refused the client or what it asked for
              64   the command was called the wrong way
              126  the program of 'token exec' cannot be run
              127  the program of 'token exec' was not found
              130  interrupted
              141  standard output was closed
            """,
        version: Version.text,
        subcommands: [
            ServeCommand.self, SignInCommand.self, SignOutCommand.self, TokenCommand.self, AdminCommand.self,
            DoctorCommand.self, DNSSDCommand.self, DemoCommand.self, ApproveCommand.self, NearbyCommand.self,
            AuthenticatorCommand.self, AccountCommand.self, OAuth1Command.self, CredentialCommand.self,
            GateCommand.self, PAMCommand.self,
        ]
    )

    /// Runs the command that the arguments name, and suggests one where they name none.
    static func main() async {
        do {
            var command = try await parsed()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            let message = fullMessage(for: error)
            let likely = Suggestion.likely(in: message)
            guard likely != message else { exit(withError: error) }
            Terminal.prompt("\(likely)\n")
            exit(withError: exitCode(for: error))
        }
    }

    /// The command that the arguments name.
    ///
    /// - Throws: the parser's error; an exit code for an unknown command, which was reported.
    private static func parsed() async throws -> any ParsableCommand {
        let words = ProcessInfo.processInfo.arguments.dropFirst()
        guard let failure = UnknownCommand(in: self, words)?.failure else { return try await asyncParseAsRoot() }
        // The command `help` takes any words, and shows the help of the root for unknown ones.
        if words.first != UnknownCommand.help, let command = try? await asyncParseAsRoot() { return command }
        Terminal.complain(failure.description)
        throw ExitCode(failure.status.rawValue)
    }
}

/// The version of this program.
enum Version {
    static let text = "0.1.0"
}
