#if PostgreSQL
/// Counters of limits, and the audit chain with its two ends.
enum CountsAndAudit {
    static let sql = """
        CREATE TABLE counts (
            key BYTEA NOT NULL PRIMARY KEY,
            times BIGINT NOT NULL,
            ends DOUBLE PRECISION NOT NULL
        );
        CREATE INDEX counts_by_end ON counts (ends);

        CREATE TABLE audit (
            number BIGINT NOT NULL PRIMARY KEY,
            at DOUBLE PRECISION NOT NULL,
            act TEXT COLLATE "C" NOT NULL,
            actor TEXT COLLATE "C" NOT NULL,
            subject TEXT COLLATE "C",
            client TEXT COLLATE "C",
            request_id TEXT COLLATE "C",
            address TEXT COLLATE "C",
            detail TEXT COLLATE "C",
            previous BYTEA NOT NULL,
            hash BYTEA NOT NULL
        );

        CREATE TABLE audit_ends (
            name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            number BIGINT NOT NULL,
            hash BYTEA NOT NULL
        );
        """
}
#endif
