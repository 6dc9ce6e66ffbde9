extension Schema {
    /// The telephone numbers of people, and the codes sent to them.
    static let phoneNumbers: SQLText = """
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
