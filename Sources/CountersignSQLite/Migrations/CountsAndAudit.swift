/// Counters of limits, and the audit chain with its two ends.
enum CountsAndAudit {
    static let sql = """
        CREATE TABLE counts (
            key BLOB NOT NULL PRIMARY KEY,
            times INTEGER NOT NULL,
            ends REAL NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX counts_by_end ON counts (ends);

        CREATE TABLE audit (
            number INTEGER NOT NULL PRIMARY KEY,
            at REAL NOT NULL,
            act TEXT NOT NULL,
            actor TEXT NOT NULL,
            subject TEXT,
            client TEXT,
            request_id TEXT,
            address TEXT,
            detail TEXT,
            previous BLOB NOT NULL,
            hash BLOB NOT NULL
        ) STRICT;

        CREATE TABLE audit_ends (
            name TEXT NOT NULL PRIMARY KEY,
            number INTEGER NOT NULL,
            hash BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
