#if PostgreSQL
/// The tables of the first version.
///
/// Instants are DOUBLE PRECISION: seconds since 2001-01-01 00:00 UTC, which is the number that `Date` itself holds, so
/// every instant comes back as it went in (add 978307200 for Unix time). Digests are BYTEA of 32 bytes. Texts are
/// compared byte by byte, whatever the language of the database. `arrival` tells the order of rows of the same instant.
enum FirstTables {
    static let sql = [parties, exchanges, signIns, tokens, commits].joined(separator: "\n")

    private static let parties = """
        CREATE TABLE clients (
            id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            name TEXT COLLATE "C" NOT NULL,
            secret BYTEA,
            grant_types TEXT COLLATE "C" NOT NULL,
            scope TEXT COLLATE "C" NOT NULL,
            token_format TEXT COLLATE "C" NOT NULL,
            audience TEXT COLLATE "C",
            serves TEXT COLLATE "C",
            code_lifetime DOUBLE PRECISION NOT NULL,
            access_token_lifetime DOUBLE PRECISION NOT NULL,
            refresh_token_lifetime DOUBLE PRECISION NOT NULL,
            created DOUBLE PRECISION NOT NULL
        );

        CREATE TABLE people (
            subject TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            username TEXT COLLATE "C" NOT NULL UNIQUE,
            name TEXT COLLATE "C" NOT NULL,
            email TEXT COLLATE "C",
            password TEXT COLLATE "C" NOT NULL,
            standing TEXT COLLATE "C" NOT NULL,
            created DOUBLE PRECISION NOT NULL
        );

        CREATE TABLE server_keys (
            id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            purpose TEXT COLLATE "C" NOT NULL,
            secret BYTEA NOT NULL,
            created DOUBLE PRECISION NOT NULL,
            activates DOUBLE PRECISION NOT NULL,
            retired DOUBLE PRECISION,
            arrival BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY
        );

        CREATE TABLE browser_sessions (
            cookie BYTEA NOT NULL UNIQUE,
            id TEXT COLLATE "C" NOT NULL,
            subject TEXT COLLATE "C" NOT NULL,
            authenticated DOUBLE PRECISION NOT NULL,
            expires DOUBLE PRECISION NOT NULL
        );
        CREATE INDEX browser_sessions_by_subject ON browser_sessions (subject);
        CREATE INDEX browser_sessions_by_expiry ON browser_sessions (expires);
        """

    private static let request = """
        request_id TEXT COLLATE "C" NOT NULL,
        client TEXT COLLATE "C" NOT NULL,
        client_provenance TEXT COLLATE "C" NOT NULL,
        scope TEXT COLLATE "C" NOT NULL,
        scope_provenance TEXT COLLATE "C" NOT NULL,
        address TEXT COLLATE "C",
        address_provenance TEXT COLLATE "C",
        device_name TEXT COLLATE "C",
        device_name_provenance TEXT COLLATE "C",
        software TEXT COLLATE "C",
        software_provenance TEXT COLLATE "C",
        asked DOUBLE PRECISION NOT NULL,
        asked_provenance TEXT COLLATE "C" NOT NULL,
        deadline DOUBLE PRECISION NOT NULL
        """

    private static let exchanges = """
        CREATE TABLE exchanges (
            device_code BYTEA NOT NULL UNIQUE,
            user_code BYTEA NOT NULL UNIQUE,
            poll_interval BIGINT NOT NULL,
            phase TEXT COLLATE "C" NOT NULL,
            approver_subject TEXT COLLATE "C",
            approver_id TEXT COLLATE "C",
            since DOUBLE PRECISION,
            taking_evidence TEXT COLLATE "C",
            \(request),
            grant_id TEXT COLLATE "C",
            grant_subject TEXT COLLATE "C",
            grant_client TEXT COLLATE "C",
            grant_scope TEXT COLLATE "C",
            evidence TEXT COLLATE "C",
            approved DOUBLE PRECISION,
            arrival BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY,
            UNIQUE (request_id)
        );
        CREATE INDEX exchanges_by_deadline ON exchanges (deadline);
        CREATE INDEX exchanges_by_approval ON exchanges (grant_subject, approved, arrival) WHERE phase = 'approved';
        """

    private static let signIns = """
        CREATE TABLE sign_ins (
            signed_in DOUBLE PRECISION NOT NULL,
            last_used DOUBLE PRECISION NOT NULL,
            ends DOUBLE PRECISION NOT NULL,
            revoked DOUBLE PRECISION,
            grant_id TEXT COLLATE "C" NOT NULL UNIQUE,
            grant_subject TEXT COLLATE "C" NOT NULL,
            grant_client TEXT COLLATE "C" NOT NULL,
            grant_scope TEXT COLLATE "C" NOT NULL,
            evidence TEXT COLLATE "C" NOT NULL,
            approved DOUBLE PRECISION NOT NULL,
            \(request),
            arrival BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY
        );
        CREATE INDEX sign_ins_by_subject ON sign_ins (grant_subject, signed_in, arrival) WHERE revoked IS NULL;
        CREATE INDEX sign_ins_by_client ON sign_ins (grant_client, signed_in, arrival) WHERE revoked IS NULL;
        CREATE INDEX sign_ins_by_end ON sign_ins (ends);
        """

    private static let tokens = """
        CREATE TABLE access_tokens (
            token BYTEA NOT NULL UNIQUE,
            id TEXT COLLATE "C" NOT NULL,
            client TEXT COLLATE "C" NOT NULL,
            subject TEXT COLLATE "C",
            grant_id TEXT COLLATE "C",
            scope TEXT COLLATE "C" NOT NULL,
            audience TEXT COLLATE "C" NOT NULL,
            issued DOUBLE PRECISION NOT NULL,
            expires DOUBLE PRECISION NOT NULL
        );
        CREATE INDEX access_tokens_by_grant ON access_tokens (grant_id) WHERE grant_id IS NOT NULL;
        CREATE INDEX access_tokens_by_client ON access_tokens (client, expires);
        CREATE INDEX access_tokens_by_expiry ON access_tokens (expires);

        CREATE TABLE refresh_tokens (
            token BYTEA NOT NULL UNIQUE,
            grant_id TEXT COLLATE "C" NOT NULL,
            client TEXT COLLATE "C" NOT NULL,
            issued DOUBLE PRECISION NOT NULL,
            expires DOUBLE PRECISION NOT NULL,
            rotated DOUBLE PRECISION,
            answer BYTEA
        );
        CREATE INDEX refresh_tokens_by_grant ON refresh_tokens (grant_id);
        CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires);
        CREATE INDEX refresh_tokens_by_rotation ON refresh_tokens (rotated) WHERE answer IS NOT NULL;
        """

    /// The last commit of each node, so that one that lost its connection meanwhile can learn whether it counts.
    private static let commits = """
        CREATE TABLE commits (
            node TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            number BIGINT NOT NULL,
            committed TIMESTAMPTZ NOT NULL
        );
        """
}
#endif
