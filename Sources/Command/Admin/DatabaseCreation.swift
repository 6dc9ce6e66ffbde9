internal import ArgumentParser
internal import Configuration

/// Decides whether a command may make a new database: for the commands that can be the first one on a machine.
///
/// At the default location it may, and in a directory that is empty. Any other directory that `--data` names is most
/// likely mistyped, so the person is asked.
struct DatabaseCreation: ParsableArguments {
    @Flag(help: "Make a new database where --data leads to none, without asking.")
    var create = false

    /// Returns the action for a missing database, after asking the person if needed.
    ///
    /// - Throws: a ``CommandError`` when the person says no, or cannot be asked.
    func allowed(in storage: StoreOptions) async throws -> MissingDatabase {
        let settings = try storage.settings()
        guard !create, try storage.namesDirectory, settings.string(forKey: "database") == nil else { return .make }
        let location = DataLocation(settings)
        guard !location.isTaken, !location.isEmptyDirectory else { return .make }
        guard Terminal.givesInput else {
            throw CommandError(
                "There is no database in \(location.path). Name its directory with --data, or add --create to make a "
                    + "new one there."
            )
        }
        let question = "There is no database in \(location.path). Make a new one there? (yes or no) "
        guard await TypedLines.standard.agrees(to: question) else { throw CommandError("No database was made.") }
        return .make
    }
}
