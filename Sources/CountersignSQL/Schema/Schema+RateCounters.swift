extension Schema {
    /// The counters of limits.
    static let counts: SQLText = """
        CREATE TABLE counts (
            key \(.bytes) NOT NULL PRIMARY KEY,
            times \(.integer) NOT NULL,
            ends \(.real) NOT NULL,
            drained \(.real),
            counted \(.real)
        ) \(.strictByKey);
        CREATE INDEX counts_by_end ON counts (ends);
        """
}
