#if PostgreSQL
/// What ties requests to phones nearby, what these were shown, and what they signed.
enum Nearby {
    static let sql = """
        ALTER TABLE exchanges ADD COLUMN nearby_challenge BYTEA;
        ALTER TABLE exchanges ADD COLUMN nearby_link BYTEA;

        ALTER TABLE sign_ins ADD COLUMN approver_key BYTEA;

        CREATE TABLE nearby_looks (
            nonce BYTEA NOT NULL UNIQUE,
            request_id TEXT COLLATE "C" NOT NULL,
            subject TEXT COLLATE "C" NOT NULL,
            grant_id TEXT COLLATE "C" NOT NULL,
            shown BYTEA NOT NULL,
            expires DOUBLE PRECISION NOT NULL
        );
        CREATE INDEX nearby_looks_by_request ON nearby_looks (request_id);
        CREATE INDEX nearby_looks_by_expiry ON nearby_looks (expires);

        CREATE TABLE nearby_decisions (
            request_id TEXT COLLATE "C" NOT NULL UNIQUE,
            subject TEXT COLLATE "C" NOT NULL,
            grant_id TEXT COLLATE "C" NOT NULL,
            approver_key BYTEA NOT NULL,
            decided DOUBLE PRECISION NOT NULL,
            signed TEXT COLLATE "C" NOT NULL
        );
        CREATE INDEX nearby_decisions_by_instant ON nearby_decisions (decided);
        """
}
#endif
