/// The services that have tokens of their own, and what requests and clients know of them.
enum Domains {
    static let sql = """
        CREATE TABLE domains (
            name TEXT NOT NULL PRIMARY KEY,
            display_name TEXT NOT NULL,
            credential BLOB NOT NULL UNIQUE,
            sign_on TEXT NOT NULL,
            affiliation TEXT,
            redirect_uris TEXT NOT NULL,
            token_lifetime REAL NOT NULL,
            created REAL NOT NULL
        ) STRICT;

        ALTER TABLE people ADD COLUMN administrator INTEGER NOT NULL DEFAULT 0;

        ALTER TABLE clients ADD COLUMN software_id TEXT;
        ALTER TABLE clients ADD COLUMN software_version TEXT;
        ALTER TABLE clients ADD COLUMN expires REAL;
        CREATE INDEX clients_by_expiry ON clients (expires) WHERE expires IS NOT NULL;
        CREATE INDEX clients_of_operator ON clients (id) WHERE expires IS NULL;

        ALTER TABLE exchanges ADD COLUMN domain TEXT;
        ALTER TABLE exchanges ADD COLUMN domain_provenance TEXT;
        ALTER TABLE exchanges ADD COLUMN addressee TEXT;
        CREATE INDEX exchanges_by_addressee ON exchanges (addressee, asked) WHERE addressee IS NOT NULL;

        ALTER TABLE sign_ins ADD COLUMN domain TEXT;
        ALTER TABLE sign_ins ADD COLUMN domain_provenance TEXT;
        ALTER TABLE sign_ins ADD COLUMN addressee TEXT;
        CREATE INDEX sign_ins_by_domain ON sign_ins (domain) WHERE domain IS NOT NULL AND revoked IS NULL;
        """
}
