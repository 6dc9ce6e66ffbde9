#if PostgreSQL
internal import CLibPQ
internal import Foundation

/// The purpose of a connection.
enum ConnectionRole: Sendable {
    /// Looks up; read-only.
    case reader
    /// Makes changes; each store has one.
    case writer
    /// Creates and changes tables, without a time limit.
    case migrator
    /// Waits for notifications.
    case listener
    /// Inspects a server that accepts no changes, to find out why.
    case inspector

    /// Whether its statements are prepared and sent in pipelines; otherwise they are commands.
    var hasPipeline: Bool { self == .reader || self == .writer }
}

extension PostgresConnection {
    /// Connection parameters that the URL does not set: a server that does not answer is noticed within some seconds.
    private static let defaults = [
        ("connect_timeout", "3"),
        ("keepalives_idle", "5"),
        ("keepalives_interval", "2"),
        ("keepalives_count", "3"),
        ("tcp_user_timeout", "10000"),
    ]

    static func connected(to address: DatabaseAddress, as role: ConnectionRole) throws(PostgresError) -> OpaquePointer {
        let parameters =
            defaults + [
                // A standby accepts no changes, and its data may be behind.
                ("target_session_attrs", role == .inspector ? "any" : "read-write"),
                ("fallback_application_name", "countersign \(role)"), ("dbname", address.url),
                ("client_encoding", "UTF8"),
            ]
        let keywords = parameters.map { strdup($0.0) }
        let values = parameters.map { strdup($0.1) }
        defer { for text in keywords + values { free(text) } }
        let handle = PQconnectdbParams(
            keywords.map { UnsafePointer($0) } + [nil],
            values.map { UnsafePointer($0) } + [nil],
            1
        )
        guard let handle else { throw .lost("no memory") }
        guard PQstatus(handle) == CONNECTION_OK else {
            let reason = message(of: handle, at: address)
            PQfinish(handle)
            throw .lost(reason)
        }
        // By default libpq prints notices to standard error.
        _ = PQsetNoticeReceiver(handle, { _, _ in }, nil)
        return handle
    }

    /// Looks for everything in pg_catalog first, and then in the schema that the search path names first: a function,
    /// operator or temporary table of another schema takes the place of none that the statements mean.
    ///
    /// Standard: PostgreSQL 15, §5.9.3, and CREATE FUNCTION, "Writing SECURITY DEFINER Functions Safely".
    private static let fixedSearchPath = """
        SELECT pg_catalog.set_config('search_path', pg_catalog.format('%I, pg_temp', pg_catalog.current_schema()), false)
        WHERE pg_catalog.current_schema() IS NOT NULL
        """

    /// The number of the schema with our tables, as an expression.
    static let schemaNumber =
        "(pg_catalog.quote_ident(pg_catalog.current_schema())::pg_catalog.regnamespace)::pg_catalog.oid"

    /// Fixes the search path, and sets timeouts for statements, and for transactions whose client has disconnected: the
    /// server then releases their locks. Every statement of a store finds its rows by an index, whatever the statistics
    /// of a table say.
    func prepareSession(for role: ConnectionRole) throws(PostgresError) {
        let timeouts =
            switch role {
            case .reader: (statement: 5_000, lock: 5_000, idle: 5_000)
            case .writer: (statement: 15_000, lock: 10_000, idle: 4_000)
            case .migrator: (statement: 0, lock: 30_000, idle: 60_000)
            case .listener, .inspector: (statement: 5_000, lock: 5_000, idle: 5_000)
            }
        let isReader = role == .reader
        try command(
            """
            \(Self.fixedSearchPath);
            SET statement_timeout = \(timeouts.statement);
            SET lock_timeout = \(timeouts.lock);
            SET idle_in_transaction_session_timeout = \(timeouts.idle);
            SET tcp_keepalives_idle = 5;
            SET tcp_keepalives_interval = 2;
            SET tcp_keepalives_count = 3;
            SET jit = off;
            SET enable_seqscan = \(role.hasPipeline ? "off" : "on");
            SET default_transaction_isolation = '\(isReader ? "repeatable read" : "read committed")';
            SET default_transaction_read_only = \(isReader ? "on" : "off");
            SET synchronous_commit =
            """
                // A commit is answered when it is on disk, on this server and on synchronous standbys.
                + " \(try keepsStandbysInStep() ? "remote_apply" : "on")"
        )
    }

    /// Whether this database requires commits to be visible on its standbys too.
    private func keepsStandbysInStep() throws(PostgresError) -> Bool {
        try commandAnswer("SHOW synchronous_commit") == "remote_apply"
    }

    /// Runs statements without values, outside of the pipeline.
    func command(_ sql: String) throws(PostgresError) {
        _ = try commandAnswer(sql)
    }

    /// The same; returns the first column of the first row of the last statement, as text.
    func commandAnswer(_ sql: String) throws(PostgresError) -> String? {
        guard PQsendQuery(handle, sql) == 1 else { throw loss() }
        var last: OpaquePointer?
        while true {
            if let commandTimeout { try awaitAnswer(silentFor: commandTimeout) }
            guard let next = PQgetResult(handle) else { break }
            PQclear(last)
            last = next
        }
        guard let result = last else { throw loss() }
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK: return nil
        case PGRES_TUPLES_OK:
            guard PQntuples(result) > 0, PQgetisnull(result, 0, 0) == 0 else { return nil }
            return String(cString: PQgetvalue(result, 0, 0))
        default: throw refusal(in: result)
        }
    }
}
#endif
