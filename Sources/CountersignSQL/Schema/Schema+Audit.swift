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
        CREATE INDEX audit_by_request ON audit (request_id, number) WHERE request_id IS NOT NULL;
        CREATE INDEX audit_by_subject ON audit (subject, number) WHERE subject IS NOT NULL;

        CREATE TABLE audit_ends (
            name \(.text) NOT NULL PRIMARY KEY,
            number \(.integer) NOT NULL,
            hash \(.bytes) NOT NULL
        ) \(.strictByKey);
        """
}
