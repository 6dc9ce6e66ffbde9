/// The tables of the first version.
///
/// Instants are REAL: seconds since 2001-01-01 00:00 UTC, which is the number that `Date` itself holds, so every
/// instant comes back as it went in (add 978307200 for Unix time). Digests are BLOBs of 32 bytes. Records stand in
/// columns of their own: to parse one from JSON takes several times as long as to find its row. JSON is left where a
/// value has parts and is seldom read.
///
/// Tables keyed by a random digest keep their rows in the order of arrival and have an index on the digest. Rows are
/// then written and swept in sequence, and only a small index is met at random: against WITHOUT ROWID an insertion
/// takes a fifth less of the writer's time and the file is a fifth smaller, while a look-up pays for a second probe.
enum FirstTables {
    static let sql = [parties, exchanges, signIns, tokens].joined(separator: "\n")

    private static let parties = """
        CREATE TABLE clients (
            id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            secret BLOB,
            grant_types TEXT NOT NULL,
            scope TEXT NOT NULL,
            token_format TEXT NOT NULL,
            audience TEXT,
            serves TEXT,
            code_lifetime REAL NOT NULL,
            access_token_lifetime REAL NOT NULL,
            refresh_token_lifetime REAL NOT NULL,
            created REAL NOT NULL
        ) STRICT;

        CREATE TABLE people (
            subject TEXT NOT NULL PRIMARY KEY,
            username TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            email TEXT,
            password TEXT NOT NULL,
            standing TEXT NOT NULL,
            created REAL NOT NULL
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

    private static let request = """
        request_id TEXT NOT NULL,
        client TEXT NOT NULL,
        client_provenance TEXT NOT NULL,
        scope TEXT NOT NULL,
        scope_provenance TEXT NOT NULL,
        address TEXT,
        address_provenance TEXT,
        device_name TEXT,
        device_name_provenance TEXT,
        software TEXT,
        software_provenance TEXT,
        asked REAL NOT NULL,
        asked_provenance TEXT NOT NULL,
        deadline REAL NOT NULL
        """

    private static let exchanges = """
        CREATE TABLE exchanges (
            device_code BLOB NOT NULL UNIQUE,
            user_code BLOB NOT NULL UNIQUE,
            poll_interval INTEGER NOT NULL,
            phase TEXT NOT NULL,
            approver_subject TEXT,
            approver_id TEXT,
            since REAL,
            taking_evidence TEXT,
            \(request),
            grant_id TEXT,
            grant_subject TEXT,
            grant_client TEXT,
            grant_scope TEXT,
            evidence TEXT,
            approved REAL,
            UNIQUE (request_id)
        ) STRICT;
        CREATE INDEX exchanges_by_deadline ON exchanges (deadline);
        CREATE INDEX exchanges_by_approval ON exchanges (grant_subject, approved) WHERE phase = 'approved';
        """

    private static let signIns = """
        CREATE TABLE sign_ins (
            signed_in REAL NOT NULL,
            last_used REAL NOT NULL,
            ends REAL NOT NULL,
            revoked REAL,
            grant_id TEXT NOT NULL UNIQUE,
            grant_subject TEXT NOT NULL,
            grant_client TEXT NOT NULL,
            grant_scope TEXT NOT NULL,
            evidence TEXT NOT NULL,
            approved REAL NOT NULL,
            \(request)
        ) STRICT;
        CREATE INDEX sign_ins_by_subject ON sign_ins (grant_subject, signed_in) WHERE revoked IS NULL;
        CREATE INDEX sign_ins_by_client ON sign_ins (grant_client, signed_in) WHERE revoked IS NULL;
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
