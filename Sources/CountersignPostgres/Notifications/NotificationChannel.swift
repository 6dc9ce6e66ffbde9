#if PostgreSQL
/// The channel for nodes to notify one another of their changes: one for each schema.
enum NotificationChannel {
    /// Sends one text; PostgreSQL delivers it with the commit.
    static let sending = "SELECT pg_catalog.pg_notify(\(name), $1)"

    /// The name of the channel, as an expression.
    private static let name = "pg_catalog.concat('countersign_', \(PostgresConnection.schemaNumber))"

    /// Receives from now on.
    static func listen(on connection: PostgresConnection) throws(PostgresError) {
        guard let channel = try connection.commandAnswer("SELECT \(name)") else {
            throw .lost("no schema of the search_path exists")
        }
        try connection.command("LISTEN \(channel)")
    }
}
#endif
