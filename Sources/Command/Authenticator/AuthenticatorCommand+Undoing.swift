internal import ArgumentParser
internal import Countersign
internal import CountersignApprover
internal import CountersignWire
internal import Foundation

extension AuthenticatorCommand {
    /// `countersign authenticator undo`
    struct Undo: AuthenticatorAction {
        static let configuration = CommandConfiguration(
            abstract: "Undo an approval within a minute of it, on whichever device you gave it.",
            discussion: """
                The screen that was signed in by it is signed out. For example:

                  countersign authenticator undo
                """
        )

        @Argument(help: "The request. (default: the only one that can be undone)")
        var id: String?

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            let approver = try await options.terminal().approver
            let request = try await request(at: approver)
            let outcome = try await approver.undo(request)
            let output: OutputMembers = ["id": request.rawValue, "outcome": outcome.rawValue]
            switch outcome {
            case .undone: return CommandOutput(output, "It is undone. The screen has nothing any more.")
            case .tooLate: throw CommandError("The minute for it is over. Sign the screen out on /account.")
            case .delivered: throw CommandError("The site has your approval already. Sign out there.")
            case .nothing: throw CommandError("There is nothing to undo: it has ended before, or was no approval.")
            }
        }

        /// The selected request: the named one, or the only one that can be undone.
        private func request(at approver: Approver) async throws -> SignInRequest.ID {
            if let id { return SignInRequest.ID(id) }
            let open = try await approver.decisions().filter { $0.undoUntil != nil }
            guard let first = open.first else { throw CommandError("There is nothing to undo.") }
            guard open.count == 1 else {
                let lines = open.map { "  \($0.exchange) \($0.clientName.shown)" }.joined(separator: "\n")
                throw CommandError.usage("There are \(open.count) approvals. Say which one:\n\(lines)")
            }
            return first.exchange
        }
    }

    /// `countersign authenticator decisions`
    struct Decisions: AuthenticatorAction {
        static let configuration = CommandConfiguration(
            abstract: "List your answers of the last hour, here and elsewhere, and what was undone.",
            discussion: """
                For example:

                  countersign authenticator decisions
                """
        )

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            CommandOutput(
                try await options.terminal().approver.decisions(),
                as: \.self,
                in: [
                    "id": \.exchange.rawValue, "app": \.clientName, "screen": \.deviceName,
                    "time": { Date(named: $0.since).formatted(.iso8601) }, "what": \.words,
                    "undo until": { $0.undoUntil.map { Date(named: $0).formatted(.iso8601) } },
                ],
                none: "None."
            )
        }
    }
}
