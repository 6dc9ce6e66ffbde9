internal import ArgumentParser
internal import Countersign
internal import CountersignApprover
internal import CountersignWire

extension AuthenticatorCommand {
    /// `countersign authenticator connect`
    struct Connect: AuthenticatorAction {
        static let configuration = CommandConfiguration(
            abstract: "Show a code to type on the screen that you want to sign in.",
            discussion: """
                The screen then asks for your approval, here or on another device of yours. The code works once; a new one \
                replaces it. For example:

                  countersign authenticator connect
                """
        )

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            let shown = try await options.terminal().approver.personCode()
            let words = """
                Type this code on the screen within \(shown.expiresIn) s: \(shown.code.grouped)
                Then look at what asks: countersign approve
                """
            return CommandOutput(["code": shown.code.revealed, "seconds": shown.expiresIn], words)
        }
    }
}
