internal import ArgumentParser
internal import Countersign
internal import CountersignApprover
internal import CountersignWire

extension AuthenticatorCommand {
    /// `countersign authenticator report`
    struct Report: AuthenticatorAction {
        static let configuration = CommandConfiguration(
            abstract: "Deny a request that you did not start, and mute its app until you lift that on /account.",
            discussion: """
                For example:

                  countersign authenticator report --reason 'not me'
                """
        )

        @Argument(help: "The request. (default: the only one that waits)")
        var id: String?

        @Option(help: "What happened, in a few words.")
        var reason: String?

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            try await options.terminal().give(.report(reason: reason), to: id, printingJSON: options.json)
        }
    }

    /// `countersign authenticator mute`
    struct Mute: AuthenticatorAction {
        static let configuration = CommandConfiguration(
            abstract: "Deny a request, and mute its app until you lift that on /account.",
            discussion: """
                For example:

                  countersign authenticator mute
                """
        )

        @Argument(help: "The request. (default: the only one that waits)")
        var id: String?

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            try await options.terminal().give(.mute, to: id, printingJSON: options.json)
        }
    }

    /// `countersign authenticator code`
    struct Code: AuthenticatorAction {
        static let configuration = CommandConfiguration(
            abstract: "Show the one-time password of a request, to type it at the other screen.",
            discussion: """
                For example:

                  countersign authenticator code
                """
        )

        @Argument(help: "The request. (default: the only one that waits)")
        var id: String?

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            let terminal = try await options.terminal()
            let shown = try await terminal.request(id, isPasscode: true)
            guard let pin = shown.passcode else { throw CommandError("That request has no code. Approve or deny it.") }
            return CommandOutput(
                encoding: PrintedRequest(shown, at: terminal.approver.issuer, choosing: nil).members, pin.shown)
        }
    }

    /// `countersign authenticator quiet`
    struct Quiet: AuthenticatorAction {
        static let configuration = CommandConfiguration(
            abstract: "Mute prompts for a while; requests stay in the list.",
            discussion: """
                For example:

                  countersign authenticator quiet 30
                """
        )

        @Argument(help: "For how many minutes, at most 1440; 0 ends the silence.")
        var minutes: Int

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            guard (0...1440).contains(minutes) else { throw CommandError.usage("Minutes are 0 to 1440: a day.") }
            try await options.terminal().approver.quiet(for: .seconds(60 * minutes))
            let words = minutes == 0 ? "Prompts come again." : "No prompts for \(minutes) min."
            return CommandOutput(["minutes": minutes], words)
        }
    }
}
