internal import ArgumentParser
internal import CountersignServer
internal import Foundation

/// `countersign admin outbox`: the text messages and mails that were stored on this machine in place of being sent.
struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Read the text messages and mails that a server without a gateway keeps on this machine.",
        subcommands: [List.self, Clear.self]
    )

    /// `countersign admin outbox list`
    struct List: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "List the messages, the oldest first.",
            discussion: """
                They hold codes and links in the clear, and are in the directory outbox beside the embedded database.

                Example:
                  countersign admin outbox list --to +31612345678 --json
                """
        )

        @OptionGroup var admin: AdminOptions

        @Option(
            help: ArgumentHelp(
                "Only those to this number, with + in front, or to this e-mail address.", valueName: "receiver"))
        var to: String?

        func output() async throws -> CommandOutput {
            let path = DeliveryConfiguration.outbox(try admin.storage.settings())
            return CommandOutput(
                try OutboxGateway.messages(at: path).filter { to == nil || $0.to == to },
                as: \.self,
                in: [
                    "kept": { $0.kept.formatted(.iso8601) }, "to": \.to, "subject": \.subject,
                    "words": { $0.text.split(whereSeparator: \.isNewline).joined(separator: " ") },
                ],
                none: "None."
            )
        }
    }

    /// `countersign admin outbox clear`
    struct Clear: DestructiveAction {
        static let configuration = CommandConfiguration(abstract: "Remove all messages.")

        @OptionGroup var admin: AdminOptions
        @OptionGroup var confirmation: ConfirmationOption

        func loss() async throws -> Loss? {
            let count = try OutboxGateway.messages(at: DeliveryConfiguration.outbox(try admin.storage.settings())).count
            return count == 0 ? nil : Loss("\(count) message\(count == 1 ? "" : "s") of the outbox")
        }

        func confirmedOutput() async throws -> CommandOutput {
            let path = DeliveryConfiguration.outbox(try admin.storage.settings())
            let count = try OutboxGateway.clear(before: .distantFuture, at: path)
            return CommandOutput(["removed": count], "Removed \(count).")
        }
    }
}
