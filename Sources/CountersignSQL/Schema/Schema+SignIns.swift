extension Schema {
    /// Requests for sign-in, open and decided.
    static let exchanges: SQLText = """
        CREATE TABLE exchanges (
            device_code \(.bytes) NOT NULL UNIQUE,
            user_code \(.bytes) NOT NULL UNIQUE,
            nearby_challenge \(.bytes),
            authorization_binding \(.text),
            backchannel \(.text),
            browser_return \(.text),
            remembered_person \(.text),
            authenticator \(.text),
            terms \(.text),
            browser_session \(.text),
            poll_interval \(.integer) NOT NULL,
            phase \(.text) NOT NULL,
            approver_subject \(.text),
            approver_id \(.text),
            since \(.real),
            taking_evidence \(.text),
            nearby_link \(.bytes),
            grant_id \(.text),
            grant_subject \(.text),
            grant_client \(.text),
            grant_scope \(.text),
            evidence \(.text),
            approved \(.real),
            grant_ends \(.real),
            grant_ends_with \(.text),
            grant_screen \(.text),
            \(RequestColumns.definitions)\(.withArrival),
            UNIQUE (request_id)
        ) \(.strict);
        CREATE INDEX exchanges_by_deadline ON exchanges (deadline);
        CREATE INDEX exchanges_by_approval ON exchanges (grant_subject, approved\(.thenArrival))
            WHERE phase = 'approved';
        CREATE INDEX exchanges_by_addressee ON exchanges (addressee, asked\(.thenArrival))
            WHERE addressee IS NOT NULL AND phase IN ('open', 'taken');
        CREATE INDEX exchanges_by_remembered_person ON exchanges (remembered_person, asked\(.thenArrival))
            WHERE remembered_person IS NOT NULL AND phase IN ('open', 'taken');
        CREATE INDEX exchanges_by_cancellation ON exchanges (COALESCE(addressee, remembered_person), asked)
            WHERE phase = 'cancelled';
        """

    /// Screens that were signed in.
    static let signIns: SQLText = """
        CREATE TABLE sign_ins (
            signed_in \(.real) NOT NULL,
            last_used \(.real) NOT NULL,
            ends \(.real) NOT NULL,
            revoked \(.real),
            approver_key \(.bytes),
            session \(.text),
            session_expires \(.real),
            from_ticket \(.integer) NOT NULL,
            grant_id \(.text) NOT NULL UNIQUE,
            grant_subject \(.text) NOT NULL,
            grant_client \(.text) NOT NULL,
            grant_scope \(.text) NOT NULL,
            evidence \(.text) NOT NULL,
            approved \(.real) NOT NULL,
            grant_ends \(.real),
            grant_ends_with \(.text),
            grant_screen \(.text),
            \(RequestColumns.definitions)\(.withArrival)
        ) \(.strict);
        CREATE INDEX sign_ins_by_subject ON sign_ins (grant_subject, signed_in\(.thenArrival)) WHERE revoked IS NULL;
        CREATE INDEX sign_ins_by_client ON sign_ins (grant_client, signed_in\(.thenArrival)) WHERE revoked IS NULL;
        CREATE INDEX sign_ins_by_domain ON sign_ins (domain) WHERE domain IS NOT NULL AND revoked IS NULL;
        CREATE INDEX sign_ins_by_session ON sign_ins (session\(.thenArrival))
            WHERE session IS NOT NULL AND revoked IS NULL;
        CREATE INDEX sign_ins_by_approver_end ON sign_ins (grant_ends_with)
            WHERE grant_ends_with IS NOT NULL AND revoked IS NULL;
        CREATE INDEX sign_ins_by_end ON sign_ins (ends);
        """

    /// Notices that clients have still to get.
    static let notices: SQLText = """
        CREATE TABLE client_notices (
            kind \(.text) NOT NULL,
            name \(.text) NOT NULL,
            client \(.text) NOT NULL,
            subject \(.text) NOT NULL,
            occurred \(.real) NOT NULL,
            attempts \(.integer) NOT NULL,
            due \(.real) NOT NULL,
            sealed \(.bytes),
            grant_id \(.text),
            PRIMARY KEY (kind, name)
        ) \(.strict);
        CREATE INDEX client_notices_by_due ON client_notices (due, name, client);
        """

    /// Consents of people to clients, and authorization requests that clients stored beforehand.
    static let authorizations: SQLText = """
        CREATE TABLE consents (
            subject \(.text) NOT NULL,
            client \(.text) NOT NULL,
            scope \(.text) NOT NULL,
            given \(.real) NOT NULL,
            PRIMARY KEY (subject, client)
        ) \(.strictByKey);
        CREATE INDEX consents_by_client ON consents (client);

        CREATE TABLE pushed_requests (
            reference \(.bytes) NOT NULL UNIQUE,
            client \(.text) NOT NULL,
            parameters \(.text) NOT NULL,
            expires \(.real) NOT NULL
        ) \(.strict);
        CREATE INDEX pushed_requests_by_expiry ON pushed_requests (expires);
        """

    /// Nonces of looks, and their signed decisions.
    static let decisions: SQLText = """
        CREATE TABLE decision_nonces (
            nonce \(.bytes) NOT NULL UNIQUE,
            request_id \(.text) NOT NULL,
            subject \(.text) NOT NULL,
            grant_id \(.text) NOT NULL,
            shown \(.bytes) NOT NULL,
            expires \(.real) NOT NULL,
            decision_type \(.text) NOT NULL
        ) \(.strict);
        CREATE INDEX decision_nonces_by_request ON decision_nonces (request_id);
        CREATE INDEX decision_nonces_by_expiry ON decision_nonces (expires);

        CREATE TABLE signed_decisions (
            request_id \(.text) NOT NULL UNIQUE,
            subject \(.text) NOT NULL,
            grant_id \(.text) NOT NULL,
            approver_key \(.bytes) NOT NULL,
            decided \(.real) NOT NULL,
            signed \(.text) NOT NULL
        ) \(.strict);
        CREATE INDEX signed_decisions_by_instant ON signed_decisions (decided);
        """
}
