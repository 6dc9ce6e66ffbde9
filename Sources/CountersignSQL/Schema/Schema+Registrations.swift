extension Schema {
    /// Browser sessions in the order in which administrators look through them: by expiry, and by what names a session on
    /// a page. No address has the digest of a cookie.
    static let positionsOfBrowserSessions: SQLText = """
        CREATE INDEX browser_sessions_by_position ON browser_sessions (expires, id);
        DROP INDEX browser_sessions_by_expiry;
        """

    /// Clients, the tokens for registering them, domains, people, their browsers, and the server's own keys.
    ///
    /// In the collation of the columns, `lower()` changes ASCII alone, in both engines.
    static let registrations: SQLText = """
        CREATE TABLE clients (
            id \(.text) NOT NULL PRIMARY KEY,
            name \(.text) NOT NULL,
            secret \(.bytes),
            grant_types \(.text) NOT NULL,
            scope \(.text) NOT NULL,
            token_format \(.text) NOT NULL,
            audience \(.text),
            serves \(.text),
            code_lifetime \(.real) NOT NULL,
            access_token_lifetime \(.real) NOT NULL,
            refresh_token_lifetime \(.real) NOT NULL,
            created \(.real) NOT NULL,
            software_id \(.text),
            software_version \(.text),
            expires \(.real),
            old_secret \(.bytes),
            old_secret_ends \(.real),
            undone \(.real),
            redirects \(.text),
            dpop \(.text) NOT NULL,
            public_keys \(.text),
            registration_token \(.bytes),
            registration \(.text),
            backchannel \(.text),
            link_approval \(.text) NOT NULL,
            minimum_evidence \(.text),
            id_token_algorithm \(.text)
        ) \(.strict);
        CREATE INDEX clients_by_expiry ON clients (expires) WHERE expires IS NOT NULL;
        CREATE INDEX clients_of_operator ON clients (id) WHERE expires IS NULL;

        CREATE TABLE initial_access_tokens (
            id \(.text) NOT NULL PRIMARY KEY,
            token \(.bytes) NOT NULL UNIQUE,
            allowance \(.text) NOT NULL,
            uses \(.integer) NOT NULL,
            created \(.real) NOT NULL,
            expires \(.real) NOT NULL
        ) \(.strict);
        CREATE INDEX initial_access_tokens_by_expiry ON initial_access_tokens (expires);

        CREATE TABLE domains (
            name \(.text) NOT NULL PRIMARY KEY,
            display_name \(.text) NOT NULL,
            credential \(.bytes) NOT NULL UNIQUE,
            sign_on \(.text) NOT NULL,
            affiliation \(.text),
            redirect_uris \(.text) NOT NULL,
            token_lifetime \(.real) NOT NULL,
            created \(.real) NOT NULL
        ) \(.strict);

        CREATE TABLE people (
            subject \(.text) NOT NULL PRIMARY KEY,
            username \(.text) NOT NULL UNIQUE,
            name \(.text) NOT NULL,
            email \(.text),
            email_verified \(.integer) NOT NULL,
            locale \(.text),
            zone_info \(.text),
            updated \(.real),
            attributes \(.text),
            email_verification \(.text),
            password \(.text),
            backchannel_user_code \(.bytes),
            standing \(.text) NOT NULL,
            removal \(.real),
            role \(.text) NOT NULL,
            created \(.real) NOT NULL,
            password_changed \(.real)
        ) \(.strict);
        CREATE INDEX people_by_email ON people (lower(email), subject);
        CREATE INDEX people_by_name ON people (lower(name), subject);
        CREATE INDEX people_by_removal ON people (removal) WHERE removal IS NOT NULL;

        CREATE TABLE action_links (
            digest \(.bytes) NOT NULL UNIQUE,
            subject \(.text) NOT NULL UNIQUE,
            act \(.text) NOT NULL,
            email \(.text),
            created \(.real) NOT NULL,
            expires \(.real) NOT NULL,
            used \(.real)
        ) \(.strict);
        CREATE INDEX action_links_by_expiry ON action_links (expires);
        CREATE INDEX action_links_by_email ON action_links (lower(email)) WHERE email IS NOT NULL;

        CREATE TABLE browser_sessions (
            cookie \(.bytes) NOT NULL UNIQUE,
            id \(.text) NOT NULL,
            subject \(.text) NOT NULL,
            authenticated \(.real) NOT NULL,
            authentication \(.text) NOT NULL,
            expires \(.real) NOT NULL,
            opening \(.text),
            browser \(.text),
            address \(.text),
            last_used \(.real) NOT NULL
        ) \(.strict);
        CREATE INDEX browser_sessions_by_subject ON browser_sessions (subject, expires DESC, cookie);
        CREATE INDEX browser_sessions_by_expiry ON browser_sessions (expires);

        CREATE TABLE server_keys (
            id \(.text) NOT NULL PRIMARY KEY,
            purpose \(.text) NOT NULL,
            secret \(.bytes) NOT NULL,
            created \(.real) NOT NULL,
            activates \(.real) NOT NULL,
            retired \(.real)\(.withArrival)
        ) \(.strict);
        """
}
