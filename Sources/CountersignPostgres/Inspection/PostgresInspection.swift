#if PostgreSQL
internal import CountersignSQL
public import CountersignStorage
public import FoundationEssentialsCompat

/// The result of inspecting a shared database without changing it.
public struct PostgresInspection: Sendable {
    /// The state of the tables, compared to those of this program.
    public enum Tables: Sendable, Equatable {
        /// There are none yet; the first start creates them.
        case none
        /// They are those of this version.
        case current
        /// `countersign admin migrate` updates them.
        case older
        /// A newer program added to them; this one uses them beside it.
        case expanded
        /// A newer program made them; this one cannot use them.
        case newer
    }

    /// The reason that the database cannot be written, or not completely.
    public enum WriteProblem: Sendable, Equatable {
        /// It is a standby of another server.
        case isStandby
        /// `default_transaction_read_only` is on.
        case isReadOnly
        /// The role may not create tables in this schema.
        case mayNotMakeTables(schema: String, role: String)
        /// The role may not add rows to these tables.
        case mayNotWrite(tables: [String], role: String)
    }

    /// The database, without a password.
    public let database: String
    /// The state of the tables, compared to those of this version.
    public let tables: Tables
    /// The reason that the database cannot be written, or not completely; `nil` when it can.
    public let writeProblem: WriteProblem?
    /// Whether the server waits for its disk, as its setting `fsync` says.
    public let waitsForDisk: Bool
    /// Whether commits wait for the disk by default, as `synchronous_commit` says. The store sets it for its own
    /// sessions.
    public let commitsWaitByDefault: Bool
    /// The server's clock.
    public let clock: Date
    /// Its clients, if the tables can be used and written.
    public let clients: [Client]
    /// Its keys, if the tables can be used and written.
    public let keys: [ServerKey]
    /// Its groups of people, if the tables can be used and written.
    public let groups: [Group]

    /// Inspects the database at a URL.
    ///
    /// - Parameter url: The database, as `postgres://user:password@host:5432/name`.
    /// - Throws: ``PostgresStoreOpeningError`` when it cannot be inspected, or cannot hold our tables.
    public static func of(_ url: String) throws -> PostgresInspection {
        let address = try DatabaseAddress(url)
        do {
            let connection = try connected(to: address)
            try connection.refuseWhatCannotHoldOurTables()
            return try PostgresInspection(address, on: connection)
        } catch let error as PostgresError {
            throw PostgresStoreOpeningError(error, at: address)
        }
    }

    /// Connects as a store would; if that is impossible, connects as an inspector, to find out why.
    private static func connected(to address: DatabaseAddress) throws(PostgresError) -> PostgresConnection {
        do {
            return try PostgresConnection(to: address, as: .listener)
        } catch {
            guard case .lost(let reason) = error, reason.contains("read-only") else { throw error }
            return try PostgresConnection(to: address, as: .inspector)
        }
    }

    private init(_ address: DatabaseAddress, on connection: PostgresConnection) throws {
        database = address.description
        tables = try PostgresMigrations().compare(on: connection)
        writeProblem = try Self.writeProblem(tables, on: connection)
        if writeProblem == nil {
            try EngineProof().prove(on: connection, and: try PostgresConnection(to: address, as: .listener))
        }
        waitsForDisk = try connection.commandAnswer("SHOW fsync") == "on"
        // The value before the session's own setting.
        commitsWaitByDefault = try connection.setting("synchronous_commit") != "off"
        let seconds = try connection.commandAnswer("SELECT extract(epoch FROM pg_catalog.clock_timestamp())").flatMap(
            Double.init)
        clock = Date(timeIntervalSince1970: seconds ?? 0)
        guard [.current, .expanded].contains(tables), writeProblem == nil else {
            (clients, keys, groups) = ([], [], [])
            return
        }
        let reader = try PostgresConnection(to: address, as: .reader)
        let repositories = SQLRepositories(reading: reader)
        clients = try repositories.clients.all()
        keys = try repositories.serverKeys.all()
        groups = try repositories.groups.all()
    }

    private static func writeProblem(_ tables: Tables, on connection: PostgresConnection) throws(PostgresError)
        -> WriteProblem?
    {
        if try connection.commandAnswer("SELECT pg_catalog.pg_is_in_recovery()") == "t" { return .isStandby }
        if try connection.setting("default_transaction_read_only") == "on" { return .isReadOnly }
        let role = try connection.commandAnswer("SELECT current_user") ?? ""
        if tables == .none {
            let schema = try connection.commandAnswer("SELECT pg_catalog.current_schema()") ?? ""
            let mayMake =
                try connection.commandAnswer(
                    "SELECT pg_catalog.has_schema_privilege(pg_catalog.current_schema(), 'CREATE')") == "t"
            return mayMake ? nil : .mayNotMakeTables(schema: schema, role: role)
        }
        let names = PostgresMigrations().tables.map { "'\($0)'" }.joined(separator: ", ")
        let closed = try connection.commandAnswer(
            """
            SELECT pg_catalog.string_agg(tablename, ' ' ORDER BY tablename) FROM pg_catalog.pg_tables
            WHERE schemaname = pg_catalog.current_schema() AND tablename IN (\(names))
                AND NOT pg_catalog.has_table_privilege(pg_catalog.format('%I.%I', schemaname, tablename), 'INSERT')
            """
        )
        return closed.map { .mayNotWrite(tables: $0.split(separator: " ").map(String.init), role: role) }
    }
}

extension PostgresConnection {
    /// The value of a setting at the beginning of the session.
    fileprivate func setting(_ name: String) throws(PostgresError) -> String? {
        try commandAnswer("SELECT reset_val FROM pg_catalog.pg_settings WHERE name = '\(name)'")
    }
}
#endif
