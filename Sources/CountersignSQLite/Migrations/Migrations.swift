internal import CountersignServer
internal import GRDB

/// The steps from an empty database to the tables of today, by name and in order.
///
/// A step that was released is never edited: what must change is a new step at the end.
enum Migrations {
    private static let steps: [(name: String, sql: String)] = [
        ("0001 first tables", FirstTables.sql),
        ("0002 counts and audit", CountsAndAudit.sql),
        ("0003 domains", Domains.sql),
        ("0004 nearby", Nearby.sql),
        ("0005 replaced secrets", ReplacedSecrets.sql),
    ]

    /// Runs the steps that the database has not seen.
    ///
    /// - Throws: ``StoreRefusal/newerSchema`` when it has seen one that is not listed here.
    static func apply(to pool: DatabasePool) throws {
        let migrator = migrator
        let (isNewer, isComplete) = try pool.read { database in
            (try migrator.hasBeenSuperseded(database), try migrator.hasCompletedMigrations(database))
        }
        guard !isNewer else { throw StoreRefusal.newerSchema }
        if !isComplete { try migrator.migrate(pool) }
    }

    /// How the tables of a database compare with those that the steps make.
    static func compare(_ database: Database) throws -> SQLiteInspection.Tables {
        guard try !migrator.hasBeenSuperseded(database) else { return .newer }
        return try migrator.hasCompletedMigrations(database) ? .current : .older
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
        for step in steps {
            migrator.registerMigration(step.name) { try $0.execute(sql: step.sql) }
        }
        return migrator
    }
}
