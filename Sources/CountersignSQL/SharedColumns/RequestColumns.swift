internal import Countersign

/// The columns of a request for sign-in, in every table that has one.
enum RequestColumns {
    static let columns: SQLColumns = [
        "request_id", "client", "client_provenance", "scope", "scope_provenance", "domain", "domain_provenance",
        "addressee", "address", "address_provenance", "device_name", "device_name_provenance", "software",
        "software_provenance", "asked", "asked_provenance", "deadline", "service_purpose", "service_ends",
    ]

    /// The definitions of the first of them in a table; ``serviceDefinitions(in:)`` has those that were added.
    static let definitions: SQLText = """
        request_id \(.text) NOT NULL,
        client \(.text) NOT NULL,
        client_provenance \(.text) NOT NULL,
        scope \(.text) NOT NULL,
        scope_provenance \(.text) NOT NULL,
        domain \(.text),
        domain_provenance \(.text),
        addressee \(.text),
        address \(.text),
        address_provenance \(.text),
        device_name \(.text),
        device_name_provenance \(.text),
        software \(.text),
        software_provenance \(.text),
        asked \(.real) NOT NULL,
        asked_provenance \(.text) NOT NULL,
        deadline \(.real) NOT NULL
        """

    /// Adds the columns of ``Countersign/GuestService`` to a table.
    static func serviceDefinitions(in table: SQLText) -> SQLText {
        """
        ALTER TABLE \(table) ADD COLUMN service_purpose \(.text);
        ALTER TABLE \(table) ADD COLUMN service_ends \(.real);
        """
    }

    static func values(_ request: SignInRequest) -> [SQLValue?] {
        [
            request.id.column,
            request.client.value.column, request.client.provenance.column,
            request.scope.value.column, request.scope.provenance.column,
            request.domain?.value.column, request.domain?.provenance.column, request.addressee?.column,
            request.address?.value.column, request.address?.provenance.column,
            request.deviceName?.value.column, request.deviceName?.provenance.column,
            request.software?.value.column, request.software?.provenance.column,
            request.asked.value.column, request.asked.provenance.column,
            request.deadline.column, request.service?.value.purpose.column, request.service?.value.ends.column,
        ]
    }

    /// The request whose columns begin at `start`.
    static func request(in row: SQLRow, from start: Int) throws -> SignInRequest {
        var request = try SignInRequest(
            id: row[start],
            client: Fact(row[start + 1], row[start + 2]),
            scope: Fact(row[start + 3], row[start + 4]),
            domain: text(in: row, at: start + 5).map { Fact(Domain(rawValue: $0.value), $0.provenance) },
            addressee: row[start + 7],
            address: text(in: row, at: start + 8),
            deviceName: text(in: row, at: start + 10),
            software: text(in: row, at: start + 12),
            asked: Fact(row[start + 14], row[start + 15]),
            deadline: row[start + 16]
        )
        if let purpose = row.optionalText(start + 17) {
            request.service = .asserted(GuestService(purpose: purpose, ends: try row[start + 18]))
        }
        return request
    }

    private static func text(in row: SQLRow, at column: Int) throws -> Fact<String>? {
        guard let text = row.optionalText(column) else { return nil }
        return Fact(text, try row[column + 1])
    }
}

/// The columns of a grant; all are null if there is no grant.
enum GrantColumns {
    static let columns: SQLColumns = [
        "grant_id", "grant_subject", "grant_client", "grant_scope", "evidence", "approved", "grant_ends",
        "grant_ends_with", "grant_screen",
    ]

    static func values(_ grant: Grant?) throws -> [SQLValue?] {
        guard let grant else { return Array(repeating: nil, count: columns.count) }
        return [
            grant.id.column, grant.subject.column, grant.client.column, grant.scope.column,
            try .document(grant.evidence), grant.approved.column, grant.ends?.column, grant.endsWith?.column,
            grant.screen?.column,
        ]
    }

    /// The grant whose columns begin at `start`.
    static func grant(in row: SQLRow, from start: Int) throws -> Grant? {
        guard let id: Grant.ID = try row[start] else { return nil }
        var grant = try Grant(
            id: id, subject: row[start + 1], client: row[start + 2], scope: row[start + 3],
            evidence: row.evidence(start + 4), approved: row[start + 5])
        grant.ends = try row[start + 6]
        grant.endsWith = try row[start + 7]
        grant.screen = try row[start + 8]
        return grant
    }
}
