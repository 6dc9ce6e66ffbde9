#if PostgreSQL
internal import CountersignSQL
public import CountersignServer
public import Foundation

/// What a look at a shared database finds, without changing anything in it.
public struct PostgresInspection: Sendable {
    /// How the tables compare with those that this program knows.
    public enum Tables: Sendable, Equatable {
        /// There are none yet; the first start makes them.
        case none
        /// They are those of this version.
        case current
        /// `countersign admin migrate` brings them up to date.
        case older
        /// A newer program made them; this one cannot use them.
        case newer
    }

    /// Why nothing, or not all, can be written there.
    public enum Hindrance: Sendable, Equatable {
        /// It follows another server, and takes changes only from there.
        case isStandby
        /// `default_transaction_read_only` is on.
        case isReadOnly
        /// The role may not make tables in this schema.
        case mayNotMakeTables(schema: String, role: String)
        /// The role may not add rows to these tables.
        case mayNotWrite(tables: [String], role: String)
    }

    /// The database, without a password.
    public let database: String
    /// How the tables compare with those of this version.
    public let tables: Tables
    /// Why nothing, or not all, can be written there; `nil` when all can.
    public let hindrance: Hindrance?
    /// Whether the server waits for its disk, as its setting `fsync` says.
    public let waitsForDisk: Bool
    /// Whether commits wait for that by default, as `synchronous_commit` says. The store asks for it itself.
    public let commitsWaitByDefault: Bool
    /// The server's clock.
    public let clock: Date
    /// Its clients and keys, where the tables are current and can be written.
    public let clients: [Client]
    /// Its keys, where the tables are current and can be written.
    public let keys: [ServerKey]

    /// Looks at the database at a URL.
    ///
    /// - Throws: ``PostgresStoreOpeningFailed`` when it cannot be looked at, or can hold nothing of ours.
    public static func of(_ url: String) throws -> PostgresInspection {
        let address = try DatabaseAddress(url)
        do {
            let connection = try connected(to: address)
            try connection.refuseWhatCannotHoldOurTables()
            return try PostgresInspection(address, on: connection)
        } catch let error as PostgresError {
            throw PostgresStoreOpeningFailed(error, at: address)
        }
    }

    /// Where a store would connect to, and where it would not, to say why not.
    private static func connected(to address: DatabaseAddress) throws(PostgresError) -> Connection {
        do {
            return try Connection(to: address, as: .listener)
        } catch {
            guard case .lost(let reason) = error, reason.contains("read-only") else { throw error }
            return try Connection(to: address, as: .inspector)
        }
    }

    private init(_ address: DatabaseAddress, on connection: Connection) throws {
        database = address.description
        tables = try Migrations().compare(on: connection)
        hindrance = try Self.hindrance(tables, on: connection)
        waitsForDisk = try connection.commandAnswer("SHOW fsync") == "on"
        // What the session began with, before we set our own.
        commitsWaitByDefault = try connection.setting("synchronous_commit") != "off"
        let seconds = try connection.commandAnswer("SELECT extract(epoch FROM clock_timestamp())").flatMap(Double.init)
        clock = Date(timeIntervalSince1970: seconds ?? 0)
        guard tables == .current, hindrance == nil else {
            (clients, keys) = ([], [])
            return
        }
        let reader = try Connection(to: address, as: .reader)
        let repositories = SQLRepositories(reading: reader)
        clients = try repositories.clients.all()
        keys = try repositories.serverKeys.all()
    }

    private static func hindrance(_ tables: Tables, on connection: Connection) throws(PostgresError) -> Hindrance? {
        if try connection.commandAnswer("SELECT pg_is_in_recovery()") == "t" { return .isStandby }
        if try connection.setting("default_transaction_read_only") == "on" { return .isReadOnly }
        let role = try connection.commandAnswer("SELECT current_user") ?? ""
        if tables == .none {
            let schema = try connection.commandAnswer("SELECT current_schema()") ?? ""
            let mayMake = try connection.commandAnswer("SELECT has_schema_privilege(current_schema(), 'CREATE')") == "t"
            return mayMake ? nil : .mayNotMakeTables(schema: schema, role: role)
        }
        let names = Migrations().tables.map { "'\($0)'" }.joined(separator: ", ")
        let closed = try connection.commandAnswer(
            """
            SELECT string_agg(tablename, ' ' ORDER BY tablename) FROM pg_catalog.pg_tables
            WHERE schemaname = current_schema() AND tablename IN (\(names))
                AND NOT has_table_privilege(format('%I.%I', schemaname, tablename), 'INSERT')
            """
        )
        return closed.map { .mayNotWrite(tables: $0.split(separator: " ").map(String.init), role: role) }
    }
}

extension Connection {
    /// What a setting was when the session began.
    fileprivate func setting(_ name: String) throws(PostgresError) -> String? {
        try commandAnswer("SELECT reset_val FROM pg_catalog.pg_settings WHERE name = '\(name)'")
    }
}
#endif
