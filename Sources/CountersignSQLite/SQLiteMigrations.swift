internal import CountersignSQL
internal import CountersignStorage
internal import GRDB

/// Migrates the tables of a database, and compares them with those of this version.
struct SQLiteMigrations {
    /// The steps from an empty database to the current tables, in order.
    var steps = Schema.migrations

    /// Runs the steps that the database has not seen.
    ///
    /// - Throws: ``StoreError/newerSchema`` when it has an unlisted one.
    func apply(to pool: some DatabaseWriter) throws {
        let migrator = migrator
        let (isNewer, isComplete) = try pool.read { database in
            (try migrator.hasBeenSuperseded(database), try migrator.hasCompletedMigrations(database))
        }
        guard !isNewer else { throw StoreError.newerSchema }
        if !isComplete { try migrator.migrate(pool) }
    }

    /// Compares the tables of a database with the result of the migrations.
    func compare(_ database: Database) throws -> SQLiteInspection.Tables {
        guard try !migrator.hasBeenSuperseded(database) else { return .newer }
        return try migrator.hasCompletedMigrations(database) ? .current : .older
    }

    private var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
        for step in steps {
            migrator.registerMigration(step.name) { try $0.execute(sql: step.sql[.sqlite]) }
        }
        return migrator
    }
}
