extension Schema {
    /// The receivers of text messages and mails, by which these are removed with a person; `NULL` in rows of programs
    /// before.
    static let addressees: SQLText = """
        ALTER TABLE deliveries ADD COLUMN addressee \(.text);
        CREATE INDEX deliveries_by_addressee ON deliveries (addressee) WHERE addressee IS NOT NULL;
        """

    /// Deliveries to phones and to customers' servers.
    static let deliveries: SQLText = """
        CREATE TABLE deliveries (
            id \(.text) NOT NULL PRIMARY KEY,
            kind \(.text) NOT NULL,
            content \(.text) NOT NULL,
            words \(.bytes),
            environment \(.text),
            request_id \(.text),
            device \(.text),
            made \(.real) NOT NULL,
            expires \(.real) NOT NULL,
            attempts \(.integer) NOT NULL,
            due \(.real) NOT NULL,
            state \(.text) NOT NULL,
            ended \(.real),
            lane \(.text) NOT NULL,
            receiver \(.text) NOT NULL
        ) \(.strict);
        CREATE INDEX deliveries_by_due ON deliveries (lane, due, id, receiver) WHERE state = 'waiting';
        CREATE INDEX deliveries_by_environment ON deliveries (environment, made, id) WHERE environment IS NOT NULL;
        CREATE INDEX deliveries_by_request ON deliveries (request_id, made, id) WHERE request_id IS NOT NULL;
        CREATE INDEX deliveries_by_new_device ON deliveries (kind, made, id) WHERE kind = 'new_device';
        CREATE INDEX deliveries_by_limit_alarm ON deliveries (kind, made, id) WHERE kind = 'limit_alarm';
        CREATE INDEX deliveries_not_delivered ON deliveries (made, id)
            WHERE attempts > 0 AND state <> 'delivered' AND state <> 'withdrawn';
        CREATE INDEX deliveries_by_expiry ON deliveries (expires);
        """
}
