/// What ties requests to phones nearby, what these were shown, and what they signed.
enum Nearby {
    static let sql = """
        ALTER TABLE exchanges ADD COLUMN nearby_challenge BLOB;
        ALTER TABLE exchanges ADD COLUMN nearby_link BLOB;

        ALTER TABLE sign_ins ADD COLUMN approver_key BLOB;

        CREATE TABLE nearby_looks (
            nonce BLOB NOT NULL UNIQUE,
            request_id TEXT NOT NULL,
            subject TEXT NOT NULL,
            grant_id TEXT NOT NULL,
            shown BLOB NOT NULL,
            expires REAL NOT NULL
        ) STRICT;
        CREATE INDEX nearby_looks_by_request ON nearby_looks (request_id);
        CREATE INDEX nearby_looks_by_expiry ON nearby_looks (expires);

        CREATE TABLE nearby_decisions (
            request_id TEXT NOT NULL UNIQUE,
            subject TEXT NOT NULL,
            grant_id TEXT NOT NULL,
            approver_key BLOB NOT NULL,
            decided REAL NOT NULL,
            signed TEXT NOT NULL
        ) STRICT;
        CREATE INDEX nearby_decisions_by_instant ON nearby_decisions (decided);
        """
}
