extension Schema {
    /// The clients that people muted.
    static let mutes: SQLText = """
        CREATE TABLE mutes (
            subject \(.text) NOT NULL,
            client \(.text) NOT NULL,
            cause \(.text) NOT NULL,
            since \(.real) NOT NULL,
            PRIMARY KEY (subject, client)
        ) \(.strictByKey);
        CREATE INDEX mutes_by_instant ON mutes (subject, since, client);
        CREATE INDEX mutes_by_client ON mutes (client);
        """
}
