internal import ArgumentParser
internal import Countersign
internal import CountersignApprover
internal import CountersignWire
internal import Foundation

extension AuthenticatorCommand {
    /// `countersign authenticator devices`
    struct Devices: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The devices that answer for you.",
            discussion: """
                For example:

                  countersign authenticator devices name ID 'Old phone'
                """,
            subcommands: [List.self, Name.self, Revoke.self],
            defaultSubcommand: List.self
        )
    }
}

extension AuthenticatorCommand.Devices {
    /// `countersign authenticator devices list`
    struct List: AuthenticatorAction {
        static let configuration = CommandConfiguration(abstract: "List them.")

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            CommandOutput(
                try await options.terminal().approver.devices(),
                as: \.self,
                in: [
                    "id": \.id.rawValue, "name": \.name,
                    "model": { [$0.model, $0.platform].compactMap(\.self).joined(separator: ", ") },
                    "added": { Date(named: $0.added).formatted(.iso8601) },
                    "last seen": { Date(named: $0.seen).formatted(.iso8601) },
                    "": { $0.isCurrent ? "this terminal" : nil },
                ]
            )
        }
    }

    /// `countersign authenticator devices name`
    struct Name: AuthenticatorAction {
        static let configuration = CommandConfiguration(abstract: "Give one a name.")

        @Argument(help: "The device, by its identifier.")
        var id: String

        @Argument(help: "The name; an empty one takes it away.")
        var name: String

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            let approver = try await options.terminal().approver
            try await approver.rename(DeviceRegistration.ID(id), to: name)
            return CommandOutput(["named": id, "name": name], "Named.")
        }
    }

    /// `countersign authenticator devices revoke`
    struct Revoke: AuthenticatorAction {
        static let configuration = CommandConfiguration(
            abstract: "Revoke one, such as a phone that is lost: it answers nothing any more.")

        @Argument(help: "The device, by its identifier.")
        var id: String

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            try await options.terminal().approver.revoke(DeviceRegistration.ID(id))
            return CommandOutput(["revoked": id], "Revoked.")
        }
    }
}
