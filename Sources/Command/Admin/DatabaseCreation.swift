internal import ArgumentParser
internal import Configuration
internal import CountersignSQLite
internal import CountersignServer

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
        let location = DataLocation(settings)
        guard try mustAsk(in: storage, settings) else { return .make }
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

    /// Opens the store for a command that may be the first one, and runs `act` on it. A dry run makes no database: an
    /// empty one in memory stands for one that would be made.
    ///
    /// - Throws: a ``CommandError`` when there is no database, and none would be made without a question.
    func withStore<Value>(
        of admin: AdminOptions, isDry: Bool, _ act: (any Store) async throws -> Value
    ) async throws -> Value {
        guard isDry else { return try await admin.withStore(whenMissing: try await allowed(in: admin.storage), act) }
        let settings = try admin.storage.settings()
        let location = DataLocation(settings)
        guard settings.string(forKey: "database") == nil, !location.isTaken else {
            return try await admin.withStore(act)
        }
        guard try !mustAsk(in: admin.storage, settings) else {
            throw CommandError(
                "There is no database in \(location.path). Name its directory with --data, or add --create to read the "
                    + "file for a new one.")
        }
        if !admin.json { Terminal.say("There is no database in \(location.path) yet.") }
        return try await act(try SQLiteMemoryStore())
    }

    /// Whether the person is asked before a missing database is made.
    private func mustAsk(in storage: StoreOptions, _ settings: ConfigReader) throws -> Bool {
        guard !create, try storage.namesDirectory, settings.string(forKey: "database") == nil else { return false }
        let location = DataLocation(settings)
        return !location.isTaken && !location.isEmptyDirectory
    }
}
