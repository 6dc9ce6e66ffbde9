internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import Foundation

extension UserCommand {
    /// `countersign admin user export`
    struct Export: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Print everything about a person as JSON, without secrets and hashes.",
            discussion: """
                It is what the person gets at /account/export: profile, groups, devices, sessions, sign-ins, consents, names of \
                passkeys, screens, muted apps, and the audit about them. The audit notes the export.

                Examples:
                  countersign admin user export anna
                  countersign admin user export anna --output anna.json
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var who: PersonArgument

        @Option(
            name: .customLong("output"),
            help: ArgumentHelp("A file to make, which only you may read.", valueName: "file"))
        var file: String?

        func output() async throws -> CommandOutput {
            // Looked for first, so that the audit has no export that nobody got.
            if let file, FileManager.default.fileExists(atPath: file) { throw Self.taken(file) }
            let now = TimeSource.system.now()
            let (person, export) = try await admin.change { [who] repositories in
                let person = try who.find(in: repositories)
                let export = try PersonExport(of: person, in: repositories, at: now)
                try Audit(repositories).record(.operator(now, .personExported, subject: person.subject))
                return (person, try export.json())
            }
            guard let file else { return CommandOutput(words: String(decoding: export, as: UTF8.self)) }
            try make(file, holding: Array(export))
            return CommandOutput(
                ["username": person.username.rawValue, "file": file], "Exported \(person.username) to \(file).")
        }

        /// - Throws: a ``CommandError`` when there is a file already, or it cannot be made.
        private func make(_ path: String, holding bytes: [UInt8]) throws(CommandError) {
            let (directory, name) = PrivateDirectory.containing(fileAt: path)
            let isMade: Bool
            do throws(PrivateFileError) {
                isMade = try directory.create(name, holding: bytes)
            } catch {
                throw CommandError("The file \(path) could not be made (\(error.reason.shown)).")
            }
            guard isMade else { throw Self.taken(path) }
        }

        private static func taken(_ path: String) -> CommandError {
            CommandError("There is a file \(path) already. Choose another name.")
        }
    }
}
