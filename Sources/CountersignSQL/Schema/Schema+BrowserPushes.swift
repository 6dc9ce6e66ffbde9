extension Schema {
    /// The browsers that are registered for push messages.
    static let browserPushes: SQLText = """
        CREATE TABLE browser_pushes (
            session \(.text) NOT NULL PRIMARY KEY,
            subject \(.text) NOT NULL,
            subscription \(.text) NOT NULL,
            language \(.text) NOT NULL,
            added \(.real) NOT NULL,
            expires \(.real) NOT NULL
        ) \(.strict);
        CREATE INDEX browser_pushes_by_subject ON browser_pushes (subject, added, session);
        CREATE INDEX browser_pushes_by_expiry ON browser_pushes (expires);
        """
}
