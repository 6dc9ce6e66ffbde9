extension Schema {
    /// Other providers, people's identities at them, and the browsers that were redirected to them.
    static let identities: SQLText = """
        CREATE TABLE identity_providers (
            id \(.text) NOT NULL PRIMARY KEY,
            display_name \(.text) NOT NULL,
            issuer \(.text) NOT NULL,
            kind \(.text) NOT NULL,
            makes_accounts \(.integer) NOT NULL,
            created \(.real) NOT NULL,
            exchangers \(.text) NOT NULL
        ) \(.strict);

        CREATE TABLE linked_identities (
            issuer \(.text) NOT NULL,
            identity \(.text) NOT NULL,
            subject \(.text) NOT NULL,
            label \(.text),
            linked \(.real) NOT NULL,
            PRIMARY KEY (issuer, identity)
        ) \(.strictByKey);
        CREATE INDEX linked_identities_by_subject ON linked_identities (subject);

        CREATE TABLE provider_visits (
            state \(.bytes) NOT NULL UNIQUE,
            browser \(.bytes) NOT NULL,
            provider \(.text) NOT NULL,
            purpose \(.text) NOT NULL,
            target \(.text) NOT NULL,
            started \(.real) NOT NULL,
            expires \(.real) NOT NULL
        ) \(.strict);
        CREATE INDEX provider_visits_by_expiry ON provider_visits (expires);
        """
}
