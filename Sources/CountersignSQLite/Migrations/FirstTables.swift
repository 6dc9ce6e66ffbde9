/// The tables of the first version.
///
/// Instants are REAL: seconds since 2001-01-01 00:00 UTC, which is the number that `Date` itself holds, so every
/// instant comes back as it went in (add 978307200 for Unix time). Digests are BLOBs of 32 bytes. What is only read
/// back, and not searched, stands in a JSON document.
///
/// Tables keyed by a random digest keep their rows in the order of arrival and have an index on the digest: rows
/// then are written and swept in sequence, and only the small index is met at random. Measured against WITHOUT ROWID
/// this gives more than one and a half times the insertions.
enum FirstTables {
    static let sql = [parties, exchanges, signIns, tokens].joined(separator: "\n")

    private static let parties = """
        CREATE TABLE clients (
            id TEXT NOT NULL PRIMARY KEY,
            document TEXT NOT NULL
        ) STRICT;

        CREATE TABLE people (
            subject TEXT NOT NULL PRIMARY KEY,
            username TEXT NOT NULL UNIQUE,
            document TEXT NOT NULL
        ) STRICT;

        CREATE TABLE server_keys (
            id TEXT NOT NULL PRIMARY KEY,
            purpose TEXT NOT NULL,
            secret BLOB NOT NULL,
            created REAL NOT NULL,
            activates REAL NOT NULL,
            retired REAL
        ) STRICT;

        CREATE TABLE browser_sessions (
            cookie BLOB NOT NULL UNIQUE,
            id TEXT NOT NULL,
            subject TEXT NOT NULL,
            authenticated REAL NOT NULL,
            expires REAL NOT NULL
        ) STRICT;
        CREATE INDEX browser_sessions_by_subject ON browser_sessions (subject);
        CREATE INDEX browser_sessions_by_expiry ON browser_sessions (expires);
        """

    private static let exchanges = """
        CREATE TABLE exchanges (
            id TEXT NOT NULL UNIQUE,
            device_code BLOB NOT NULL UNIQUE,
            user_code BLOB NOT NULL UNIQUE,
            poll_interval INTEGER NOT NULL,
            phase TEXT NOT NULL,
            deadline REAL NOT NULL,
            approved_for TEXT,
            approved REAL,
            document TEXT NOT NULL
        ) STRICT;
        CREATE INDEX exchanges_by_deadline ON exchanges (deadline);
        CREATE INDEX exchanges_by_approval ON exchanges (approved_for, approved) WHERE phase = 'approved';
        """

    private static let signIns = """
        CREATE TABLE sign_ins (
            grant_id TEXT NOT NULL UNIQUE,
            subject TEXT NOT NULL,
            client TEXT NOT NULL,
            signed_in REAL NOT NULL,
            last_used REAL NOT NULL,
            ends REAL NOT NULL,
            revoked REAL,
            document TEXT NOT NULL
        ) STRICT;
        CREATE INDEX sign_ins_by_subject ON sign_ins (subject, signed_in) WHERE revoked IS NULL;
        CREATE INDEX sign_ins_by_client ON sign_ins (client, signed_in) WHERE revoked IS NULL;
        CREATE INDEX sign_ins_by_end ON sign_ins (ends);
        """

    private static let tokens = """
        CREATE TABLE access_tokens (
            token BLOB NOT NULL UNIQUE,
            id TEXT NOT NULL,
            client TEXT NOT NULL,
            subject TEXT,
            grant_id TEXT,
            scope TEXT NOT NULL,
            audience TEXT NOT NULL,
            issued REAL NOT NULL,
            expires REAL NOT NULL
        ) STRICT;
        CREATE INDEX access_tokens_by_grant ON access_tokens (grant_id) WHERE grant_id IS NOT NULL;
        CREATE INDEX access_tokens_by_client ON access_tokens (client, expires);
        CREATE INDEX access_tokens_by_expiry ON access_tokens (expires);

        CREATE TABLE refresh_tokens (
            token BLOB NOT NULL UNIQUE,
            grant_id TEXT NOT NULL,
            client TEXT NOT NULL,
            issued REAL NOT NULL,
            expires REAL NOT NULL,
            rotated REAL,
            answer BLOB
        ) STRICT;
        CREATE INDEX refresh_tokens_by_grant ON refresh_tokens (grant_id);
        CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires);
        CREATE INDEX refresh_tokens_by_rotation ON refresh_tokens (rotated) WHERE answer IS NOT NULL;
        """
}
