internal import ArgumentParser
internal import Countersign
internal import CountersignApprover
internal import CountersignWire

extension AuthenticatorCommand {
    /// `countersign authenticator sites`
    struct Sites: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The sites for which this terminal answers.",
            discussion: """
                For example:

                  countersign authenticator sites add --picture site.png
                """,
            subcommands: [List.self, Add.self, Remove.self],
            defaultSubcommand: List.self
        )
    }
}

extension AuthenticatorCommand.Sites {
    /// `countersign authenticator sites list`
    struct List: AuthenticatorAction {
        static let configuration = CommandConfiguration(abstract: "List them.")

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            let all = try await options.terminal().approver.customerSites()
            let lines = all.map { "\($0.id)  \($0.name)".shown }
            return CommandOutput(encoding: all, lines.isEmpty ? "None." : lines.joined(separator: "\n"))
        }
    }

    /// `countersign authenticator sites add`
    struct Add: AuthenticatorAction {
        static let configuration = CommandConfiguration(abstract: "Add one by the QR code that its page shows.")

        /// The place where a person finds the code.
        private static let source = "The site shows it where it lets you add your phone."

        @OptionGroup var scanned: ScannedCodeOptions
        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            guard case .ticket(issuer: let text, let ticket) = try scanned.invitation(from: Self.source) else {
                throw ScannedCodeOptions.olderKind
            }
            let approver = try await options.terminal().approver
            guard text == approver.issuer.text else {
                throw CommandError.usage("That code is of \(text), where this terminal is not enrolled.")
            }
            let joined = try await approver.register(by: ticket)
            return CommandOutput(encoding: joined, "This terminal answers for \(joined.name).".shown)
        }
    }

    /// `countersign authenticator sites remove`
    struct Remove: AuthenticatorAction {
        static let configuration = CommandConfiguration(abstract: "Remove one.")

        @Argument(help: "The site, by its identifier.")
        var id: String

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            let site = try CustomerSiteID(parsing: id).or(usage: "That is no identifier of a site.")
            try await options.terminal().approver.unregister(from: site)
            return CommandOutput(["removed": site.rawValue], "Removed.")
        }
    }
}
