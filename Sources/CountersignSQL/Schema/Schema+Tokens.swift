extension Schema {
    /// Access tokens and refresh tokens.
    static let tokens: SQLText = """
        CREATE TABLE access_tokens (
            number \(.rowNumber) NOT NULL,
            token \(.bytes) NOT NULL,
            id \(.text) NOT NULL,
            client \(.text) NOT NULL,
            subject \(.text),
            grant_id \(.text),
            scope \(.text) NOT NULL,
            audience \(.text) NOT NULL,
            issued \(.real) NOT NULL,
            expires \(.real) NOT NULL,
            key_thumbprint \(.text),
            authenticated \(.real),
            acr \(.text),
            evidence \(.text)\(.numbering("token"))
        ) \(.strict);
        CREATE INDEX access_tokens_by_grant ON access_tokens (grant_id) WHERE grant_id IS NOT NULL;
        CREATE INDEX access_tokens_by_client ON access_tokens (client);
        CREATE INDEX access_tokens_by_expiry ON access_tokens (expires);

        CREATE TABLE refresh_tokens (
            family \(.bytes) NOT NULL PRIMARY KEY,
            token \(.bytes) NOT NULL,
            grant_id \(.text) NOT NULL,
            client \(.text) NOT NULL,
            issued \(.real) NOT NULL,
            expires \(.real) NOT NULL,
            key_thumbprint \(.text)
        ) \(.strictByKey);
        CREATE INDEX refresh_tokens_by_grant ON refresh_tokens (grant_id);

        CREATE TABLE repeatable_answers (
            grant_id \(.text) NOT NULL UNIQUE,
            credential \(.bytes) NOT NULL,
            answer \(.bytes) NOT NULL,
            answered \(.real) NOT NULL,
            deadline \(.real),
            ends \(.real) NOT NULL
        ) \(.strict);
        CREATE INDEX repeatable_answers_by_end ON repeatable_answers (ends);
        """
}
