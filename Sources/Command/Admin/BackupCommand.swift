internal import ArgumentParser
internal import CountersignSQLite
internal import Foundation

/// `countersign admin backup`
struct BackupCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the database into a new file, while the server runs.",
        discussion: """
            The copy is the state of one moment, with the tables as they are: make one before you upgrade. It holds the keys that sign tokens: keep it as you keep the database. \
            The key of the audit (audit-key.pem, or what --audit-key names) is not in it: keep that once, somewhere \
            else. Without it a restored server makes another, and heads that were signed before cannot be verified.
            To restore, stop the server, put the file in place of countersign.sqlite, and remove the two files beside \
            it whose names end in -wal and -shm.
            """
    )

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The file to make; one that is there is never written over.", completion: .file())
    var file: String

    func output() async throws -> CommandOutput {
        let directory = try admin.storage.embeddedDirectory(by: try admin.storage.settings())
        guard let directory else { throw CommandError("A shared database is copied by its own means: see pg_dump.") }
        do {
            try SQLiteStore.backUp(directory, to: URL(fileURLWithPath: file))
        } catch let error as BackupError {
            switch error.code {
            case .nothingToCopy: throw CommandError("There is no database in \(directory.path) yet.")
            case .isThereAlready: throw CommandError("There is a file \(file) already. Choose another name.")
            case .notMade:
                let writer =
                    error.reason == String(cString: strerror(EACCES))
                    ? " The user \(NSUserName()) makes it: name a directory that this user may write." : ""
                throw CommandError("The copy \(file) could not be made (\(error.reason)).\(writer)")
            }
        } catch let error as SQLiteStoreOpeningError {
            throw CommandError(error.description)
        }
        return CommandOutput(["file": file], "Copied the database to \(file).")
    }
}
