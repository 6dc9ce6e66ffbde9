internal import ArgumentParser
internal import Countersign
internal import CountersignApprover
internal import CountersignWire

extension AuthenticatorCommand {
    /// Answers a request that was named, or the only one that waits.
    fileprivate static func give(
        _ answer: RequestAnswer,
        to named: String?,
        called word: String,
        with options: AuthenticatorOptions
    ) async throws -> CommandOutput {
        let terminal = try await options.terminal()
        let shown = try await terminal.request(named, isPasscode: false)
        if !options.json { for line in PrintedRequest(shown).lines { Terminal.say(line) } }
        do throws(ApprovalError) {
            try await terminal.approver.answer(answer, to: shown)
        } catch {
            guard error.code == .digitsNeeded, case .approve(number: _?, remembers: _) = answer else { throw error }
            throw CommandError.usage("Type the \(VerificationNumber.words).")
        }
        return CommandOutput(["id": shown.id.rawValue, "answer": word], "It is \(word).")
    }

    /// `countersign authenticator approve`
    struct Approve: AuthenticatorAction {
        static let configuration = CommandConfiguration(abstract: "Approve a request.")

        @Argument(help: "The request. (default: the only one that waits)")
        var id: String?

        @Option(help: "The number that is shown where you started, if one is shown.")
        var number: String?

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            try await AuthenticatorCommand.give(.approve(number: number), to: id, called: "approved", with: options)
        }
    }

    /// `countersign authenticator deny`
    struct Deny: AuthenticatorAction {
        static let configuration = CommandConfiguration(abstract: "Deny a request.")

        @Argument(help: "The request. (default: the only one that waits)")
        var id: String?

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            try await AuthenticatorCommand.give(.deny, to: id, called: "denied", with: options)
        }
    }

    /// `countersign authenticator report`
    struct Report: AuthenticatorAction {
        static let configuration = CommandConfiguration(
            abstract: "Deny a request that you did not start, and mute its app until you lift that on /account.")

        @Argument(help: "The request. (default: the only one that waits)")
        var id: String?

        @Option(help: "What happened, in a few words.")
        var reason: String?

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            try await AuthenticatorCommand.give(.report(reason: reason), to: id, called: "reported", with: options)
        }
    }

    /// `countersign authenticator mute`
    struct Mute: AuthenticatorAction {
        static let configuration = CommandConfiguration(
            abstract: "Deny a request, and mute its app until you lift that on /account.")

        @Argument(help: "The request. (default: the only one that waits)")
        var id: String?

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            try await AuthenticatorCommand.give(.mute, to: id, called: "muted", with: options)
        }
    }

    /// `countersign authenticator code`
    struct Code: AuthenticatorAction {
        static let configuration = CommandConfiguration(
            abstract: "Show the one-time password of a request, to type it at the other screen.")

        @Argument(help: "The request. (default: the only one that waits)")
        var id: String?

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            let shown = try await options.terminal().request(id, isPasscode: true)
            guard let pin = shown.passcode else { throw CommandError("That request has no code. Approve or deny it.") }
            return CommandOutput(encoding: PrintedRequest(shown), pin.shown)
        }
    }

    /// `countersign authenticator quiet`
    struct Quiet: AuthenticatorAction {
        static let configuration = CommandConfiguration(
            abstract: "Mute prompts for a while; requests stay in the inbox.")

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
