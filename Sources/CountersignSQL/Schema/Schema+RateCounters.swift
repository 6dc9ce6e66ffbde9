extension Schema {
    /// The counters of limits.
    static let counts: SQLText = """
        CREATE TABLE counts (
            key \(.bytes) NOT NULL PRIMARY KEY,
            times \(.integer) NOT NULL,
            ends \(.real) NOT NULL,
            drained \(.real)
        ) \(.strictByKey);
        CREATE INDEX counts_by_end ON counts (ends);
        """

    static let instantsOfCounts: SQLText = """
        ALTER TABLE counts ADD COLUMN counted \(.real);
        """
}
