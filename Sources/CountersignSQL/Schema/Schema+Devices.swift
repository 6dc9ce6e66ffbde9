extension Schema {
    /// Devices that answer requests, the sites that they are enrolled in, the tickets for that, the codes that
    /// people type on screens, and people's quiet times.
    static let devices: SQLText = """
        CREATE TABLE devices (
            id \(.text) NOT NULL PRIMARY KEY,
            dialect \(.text) NOT NULL,
            subject \(.text),
            grant_id \(.text),
            app_key \(.text),
            details \(.text) NOT NULL,
            push_token \(.text),
            push_enabled \(.integer) NOT NULL,
            development \(.integer) NOT NULL,
            push_died \(.real),
            phone_number \(.text),
            status \(.text) NOT NULL,
            created \(.real) NOT NULL,
            last_seen \(.real) NOT NULL
        ) \(.strict);
        CREATE UNIQUE INDEX devices_by_sign_in ON devices (grant_id) WHERE grant_id IS NOT NULL;
        CREATE INDEX devices_by_subject ON devices (subject, created, id) WHERE subject IS NOT NULL;
        CREATE INDEX devices_by_number ON devices (phone_number, created, id) WHERE phone_number IS NOT NULL;
        CREATE INDEX devices_by_push_token ON devices (push_token, created, id) WHERE push_token IS NOT NULL;
        CREATE INDEX devices_by_sighting ON devices (last_seen);
        CREATE INDEX devices_of_nobody ON devices (last_seen) WHERE subject IS NULL;

        CREATE TABLE device_environments (
            device \(.text) NOT NULL,
            environment \(.text) NOT NULL,
            sealed_secret \(.bytes),
            subject \(.text),
            added \(.real) NOT NULL,
            PRIMARY KEY (device, environment)
        ) \(.strictByKey);
        CREATE INDEX device_environments_by_instant ON device_environments (device, added, environment);
        CREATE INDEX device_environments_by_environment ON device_environments (environment);

        CREATE TABLE enrollment_tickets (
            digest \(.bytes) NOT NULL UNIQUE,
            subject \(.text) NOT NULL,
            client \(.text),
            environment \(.text),
            sealed_secret \(.bytes),
            evidence \(.text) NOT NULL,
            made \(.real) NOT NULL,
            expires \(.real) NOT NULL,
            used \(.real),
            grant_id \(.text),
            gave_sign_in \(.integer) NOT NULL,
            session \(.text)
        ) \(.strict);
        CREATE INDEX enrollment_tickets_by_subject ON enrollment_tickets (subject);
        CREATE INDEX enrollment_tickets_by_expiry ON enrollment_tickets (expires);

        CREATE TABLE person_codes (
            digest \(.bytes) NOT NULL UNIQUE,
            subject \(.text) NOT NULL PRIMARY KEY,
            approver_id \(.text) NOT NULL,
            sealed \(.bytes) NOT NULL,
            expires \(.real) NOT NULL,
            request_id \(.text)
        ) \(.strict);
        CREATE INDEX person_codes_by_expiry ON person_codes (expires);

        CREATE TABLE quiet_times (
            subject \(.text) NOT NULL PRIMARY KEY,
            ends \(.real) NOT NULL
        ) \(.strict);
        CREATE INDEX quiet_times_by_end ON quiet_times (ends);
        """
}
