internal import ArgumentParser
internal import Countersign
internal import CountersignApprover
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension AuthenticatorCommand {
    /// `countersign authenticator devices`
    struct Devices: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The devices that answer for you.",
            subcommands: [List.self, Name.self, Revoke.self],
            defaultSubcommand: List.self
        )
    }
}

extension AuthenticatorCommand.Devices {
    /// `countersign authenticator devices list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List them.")

        @OptionGroup var options: AuthenticatorOptions

        func run() async throws {
            try await approving {
                let all = try await options.terminal().authenticator.devices()
                var table = TextTable(["id", "name", "model", "added", "last seen", ""])
                for device in all {
                    table.add([
                        device.id.rawValue, device.name ?? "",
                        [device.model, device.platform].compactMap(\.self).joined(separator: ", "),
                        Date(named: device.added).formatted(.iso8601),
                        Date(named: device.seen).formatted(.iso8601),
                        device.isCurrent ? "this terminal" : "",
                    ])
                }
                try options.print(all, or: table.text)
            }
        }
    }

    /// `countersign authenticator devices name`
    struct Name: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Give one a name.")

        @Argument(help: "The device, by its identifier.")
        var id: String

        @Argument(help: "The name; an empty one takes it away.")
        var name: String

        @OptionGroup var options: AuthenticatorOptions

        private struct Outcome: Encodable {
            let named: String
            let name: String
        }

        func run() async throws {
            try await approving {
                let authenticator = try await options.terminal().authenticator
                try await authenticator.rename(DeviceRegistration.ID(id), to: name)
                try options.print(Outcome(named: id, name: name), or: "Named.")
            }
        }
    }

    /// `countersign authenticator devices revoke`
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke one, such as a phone that is lost: it answers nothing any more."
        )

        @Argument(help: "The device, by its identifier.")
        var id: String

        @OptionGroup var options: AuthenticatorOptions

        private struct Outcome: Encodable {
            let revoked: String
        }

        func run() async throws {
            try await approving {
                try await options.terminal().authenticator.revoke(DeviceRegistration.ID(id))
                try options.print(Outcome(revoked: id), or: "Revoked.")
            }
        }
    }
}
