internal import Countersign
internal import CountersignStorage
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The table `sign_ins`.
struct SQLSignInRecordRepository: SignInRecordRepository, SQLTable {
    static let table: SQLText = "sign_ins"
    private static let own: SQLColumns = [
        "signed_in", "last_used", "ends", "revoked", "approver_key", "session", "session_expires", "from_ticket",
    ]
    static let columns = own + GrantColumns.columns + RequestColumns.columns

    static let usual = SQLStatements(of: Self.self, key: ["grant_id"])
    private static let updating = update(["last_used", "ends", "revoked", "approver_key"], where: "grant_id = ?")
    private static let newestFirst: SQLText = "AND revoked IS NULL ORDER BY signed_in DESC, \(.arrival) DESC"
    static let byGrants = SQLKeyedQuery { "SELECT \(columns.names) FROM sign_ins WHERE grant_id IN (\($0))" }
    /// Computing the list first makes PostgreSQL use an index. Only PostgreSQL runs this; SQLite has no ANY.
    static let byFamilies = SQLKeyedQuery {
        """
        SELECT \(columns.names) FROM sign_ins
        WHERE grant_id = ANY(ARRAY(\(SQLRefreshTokenRepository.grants(ofFamilies: $0))))
        """
    }
    /// The people who are signed in by the families whose keys have these places.
    static func subjects(ofFamilies places: SQLText) -> SQLText {
        """
        SELECT grant_subject FROM sign_ins
        WHERE grant_id = ANY(ARRAY(\(SQLRefreshTokenRepository.grants(ofFamilies: places))))
        """
    }
    private static let bySubject = selection("grant_subject = ? \(newestFirst) LIMIT 1000")
    private static let bySubjectNext = selection(
        """
        grant_subject = ? AND (signed_in, \(.arrival)) < (SELECT signed_in, \(.arrival) FROM sign_ins WHERE grant_id = ?)
        \(newestFirst) LIMIT 1000
        """
    )
    private static let bySubjectAndClient = selection(
        "grant_subject = ? AND grant_client = ? \(newestFirst) LIMIT 1000")
    private static let byClient = selection("grant_client = ? \(newestFirst) LIMIT ?")
    private static let byClientAndDomain = selection("grant_client = ? AND domain = ? \(newestFirst) LIMIT 1")
    private static let byDomain = selection("domain = ? AND revoked IS NULL LIMIT ?")
    private static let bySession = selection("session = ? AND revoked IS NULL ORDER BY \(.arrival) LIMIT 1000")
    private static let bySessionNext = selection(
        """
        session = ? AND revoked IS NULL
        AND \(.arrival) > (SELECT \(.arrival) FROM sign_ins WHERE grant_id = ?) ORDER BY \(.arrival) LIMIT 1000
        """
    )
    private static let byApproverEnd = selection("grant_ends_with = ? AND revoked IS NULL LIMIT 1000")
    private static let ended: SQLStatement = "SELECT grant_id FROM sign_ins WHERE ends < ? ORDER BY ends LIMIT ?"

    let connection: any SQLConnection
    let prefetched: PrefetchedRows?

    static func values(of record: SignInRecord) throws -> [SQLValue?] {
        let own: [SQLValue?] = [
            record.signedIn.column, record.lastUsed.column, record.ends.column, record.revoked?.column,
            record.approverKey?.rawRepresentation.column, record.session?.id.column, record.session?.expires.column,
            record.isFromTicket.column,
        ]
        return own + (try GrantColumns.values(record.grant)) + RequestColumns.values(record.request)
    }

    static func record(in row: SQLRow) throws -> SignInRecord {
        let start = own.count
        guard let grant = try GrantColumns.grant(in: row, from: start) else {
            throw RowDecodingError(column: "sign-in")
        }
        return try SignInRecord(
            grant: grant,
            request: RequestColumns.request(in: row, from: start + GrantColumns.columns.count),
            signedIn: row[0],
            lastUsed: row[1],
            ends: row[2],
            revoked: row[3],
            approverKey: row.optionalBytes(4).map { ApproverKey(restoring: $0) },
            session: row.isNull(6) ? nil : SessionReference(id: row[5], expires: row[6]),
            isFromTicket: row[7]
        )
    }

    func insert(_ record: SignInRecord) throws {
        prefetched?.forgetSignIn(record.grant.id)
        try insertRow(record)
    }

    func find(_ grant: Grant.ID) throws -> SignInRecord? {
        if let prefetched = prefetched?.signIn(grant) { return prefetched }
        return try first(Self.usual.find, grant.column)
    }

    func all(of subject: Subject) throws -> [SignInRecord] { try all(Self.bySubject, subject.column) }

    func all(of subject: Subject, after last: Grant.ID) throws -> [SignInRecord] {
        try all(Self.bySubjectNext, subject.column, last.column)
    }

    func all(of subject: Subject, at client: ClientID) throws -> [SignInRecord] {
        try all(Self.bySubjectAndClient, subject.column, client.column)
    }

    func update(_ record: SignInRecord) throws {
        prefetched?.forgetSignIn(record.grant.id)
        try write(
            Self.updating, record.lastUsed.column, record.ends.column, record.revoked?.column,
            record.approverKey?.rawRepresentation.column, record.grant.id.column)
    }

    func all(of client: ClientID, limit: Int) throws -> [SignInRecord] {
        try all(Self.byClient, client.column, limit.column)
    }

    func find(_ client: ClientID, _ domain: Domain) throws -> SignInRecord? {
        try first(Self.byClientAndDomain, client.column, domain.column)
    }

    func all(of domain: Domain, limit: Int) throws -> [SignInRecord] {
        try all(Self.byDomain, domain.column, limit.column)
    }

    func all(of session: ApproverID) throws -> [SignInRecord] { try all(Self.bySession, session.column) }

    func all(of session: ApproverID, after last: Grant.ID) throws -> [SignInRecord] {
        try all(Self.bySessionNext, session.column, last.column)
    }

    func all(endingWith approver: ApproverID) throws -> [SignInRecord] {
        try all(Self.byApproverEnd, approver.column)
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        let ended: [Grant.ID] = try connection.all(Self.ended, [instant.column, limit.column]) { try $0[0] }
        prefetched?.forgetSignIns()
        let tokens = SQLRefreshTokenRepository(connection: connection, prefetched: prefetched)
        for grant in ended {
            try tokens.removeAll(of: grant)
            try write(Self.usual.remove, grant.column)
        }
        return ended.count
    }
}
