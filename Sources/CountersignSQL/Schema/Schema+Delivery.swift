extension Schema {
    /// What is to be sent to phones and customers' servers, and the telephone numbers of people.
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
            ended \(.real)
        ) \(.strict);
        CREATE INDEX deliveries_by_due ON deliveries (due, id) WHERE state = 'waiting';
        CREATE INDEX deliveries_by_environment ON deliveries (environment, made, id) WHERE environment IS NOT NULL;
        CREATE INDEX deliveries_by_request ON deliveries (request_id, made, id) WHERE request_id IS NOT NULL;
        CREATE INDEX deliveries_by_new_device ON deliveries (kind, made, id) WHERE kind = 'new_device';
        CREATE INDEX deliveries_by_limit_alarm ON deliveries (kind, made, id) WHERE kind = 'limit_alarm';
        CREATE INDEX deliveries_by_expiry ON deliveries (expires);

        CREATE TABLE phone_numbers (
            number \(.text) NOT NULL PRIMARY KEY,
            subject \(.text) NOT NULL,
            device \(.text),
            verified \(.real) NOT NULL,
            move_device \(.text),
            move_subject \(.text),
            move_due \(.real)
        ) \(.strictByKey);
        CREATE INDEX phone_numbers_by_subject ON phone_numbers (subject, number);
        CREATE INDEX phone_numbers_by_move ON phone_numbers (move_due) WHERE move_due IS NOT NULL;

        CREATE TABLE phone_registrations (
            device \(.text) NOT NULL PRIMARY KEY,
            state \(.text) NOT NULL,
            number \(.text),
            before_number \(.text),
            code \(.bytes),
            sent \(.real),
            wrong \(.integer) NOT NULL,
            until \(.real),
            codes_sent \(.integer) NOT NULL,
            last_sent \(.real),
            touched \(.real) NOT NULL
        ) \(.strict);
        CREATE INDEX phone_registrations_by_number ON phone_registrations (number) WHERE number IS NOT NULL;
        CREATE INDEX phone_registrations_by_touch ON phone_registrations (touched) WHERE state <> 'verified';
        """
}
