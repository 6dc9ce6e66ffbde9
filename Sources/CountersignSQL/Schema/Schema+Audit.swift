extension Schema {
    /// The audit chain with its two ends.
    static let audit: SQLText = """
        CREATE TABLE audit (
            number \(.integer) NOT NULL PRIMARY KEY,
            at \(.real) NOT NULL,
            act \(.text) NOT NULL,
            actor \(.text) NOT NULL,
            subject \(.text),
            client \(.text),
            request_id \(.text),
            address \(.text),
            detail \(.text),
            previous \(.bytes) NOT NULL,
            hash \(.bytes) NOT NULL
        ) \(.strict);

        CREATE TABLE audit_ends (
            name \(.text) NOT NULL PRIMARY KEY,
            number \(.integer) NOT NULL,
            hash \(.bytes) NOT NULL
        ) \(.strictByKey);
        """
}
