extension Schema {
    /// Passkeys and the challenges that they have answered, one-time passwords and recovery codes.
    static let secondFactors: SQLText = """
        CREATE TABLE passkeys (
            credential \(.text) NOT NULL PRIMARY KEY,
            subject \(.text) NOT NULL,
            user_handle \(.text) NOT NULL,
            public_key \(.bytes) NOT NULL,
            counter \(.integer) NOT NULL,
            backup_eligible \(.integer) NOT NULL,
            backed_up \(.integer) NOT NULL,
            transports \(.text) NOT NULL,
            name \(.text) NOT NULL,
            created \(.real) NOT NULL,
            last_used \(.real)
        ) \(.strict);
        CREATE INDEX passkeys_by_subject ON passkeys (subject, created, credential);

        CREATE TABLE used_challenges (
            challenge \(.bytes) NOT NULL UNIQUE,
            expires \(.real) NOT NULL
        ) \(.strict);
        CREATE INDEX used_challenges_by_expiry ON used_challenges (expires);

        CREATE TABLE one_time_passwords (
            subject \(.text) NOT NULL PRIMARY KEY,
            sealed_secret \(.bytes) NOT NULL,
            moving_factor \(.text) NOT NULL,
            last_accepted \(.integer),
            drift \(.integer) NOT NULL,
            enrolled \(.real) NOT NULL
        ) \(.strictByKey);

        CREATE TABLE recovery_codes (
            subject \(.text) NOT NULL PRIMARY KEY,
            digests \(.bytes) NOT NULL
        ) \(.strictByKey);
        """
}
