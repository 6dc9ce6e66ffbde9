#if PostgreSQL
/// The services that have tokens of their own, and what requests and clients know of them.
enum Domains {
    static let sql = """
        CREATE TABLE domains (
            name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            display_name TEXT COLLATE "C" NOT NULL,
            credential BYTEA NOT NULL UNIQUE,
            sign_on TEXT COLLATE "C" NOT NULL,
            affiliation TEXT COLLATE "C",
            redirect_uris TEXT COLLATE "C" NOT NULL,
            token_lifetime DOUBLE PRECISION NOT NULL,
            created DOUBLE PRECISION NOT NULL
        );

        ALTER TABLE people ADD COLUMN administrator BIGINT NOT NULL DEFAULT 0;

        ALTER TABLE clients ADD COLUMN software_id TEXT COLLATE "C";
        ALTER TABLE clients ADD COLUMN software_version TEXT COLLATE "C";
        ALTER TABLE clients ADD COLUMN expires DOUBLE PRECISION;
        CREATE INDEX clients_by_expiry ON clients (expires) WHERE expires IS NOT NULL;
        CREATE INDEX clients_of_operator ON clients (id) WHERE expires IS NULL;

        ALTER TABLE exchanges ADD COLUMN domain TEXT COLLATE "C";
        ALTER TABLE exchanges ADD COLUMN domain_provenance TEXT COLLATE "C";
        ALTER TABLE exchanges ADD COLUMN addressee TEXT COLLATE "C";
        CREATE INDEX exchanges_by_addressee ON exchanges (addressee, asked, arrival) WHERE addressee IS NOT NULL;

        ALTER TABLE sign_ins ADD COLUMN domain TEXT COLLATE "C";
        ALTER TABLE sign_ins ADD COLUMN domain_provenance TEXT COLLATE "C";
        ALTER TABLE sign_ins ADD COLUMN addressee TEXT COLLATE "C";
        CREATE INDEX sign_ins_by_domain ON sign_ins (domain) WHERE domain IS NOT NULL AND revoked IS NULL;
        """
}
#endif
