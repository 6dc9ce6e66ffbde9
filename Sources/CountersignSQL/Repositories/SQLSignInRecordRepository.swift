internal import Countersign
internal import CountersignServer
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The table `sign_ins`.
struct SQLSignInRecordRepository: SignInRecordRepository {
    private static let own: SQLColumns = [
        "signed_in", "last_used", "ends", "revoked", "approver_key", "session", "session_expires", "from_ticket",
    ]
    private static let columns = own + GrantColumns.columns + RequestColumns.columns

    private static let selection: SQLText = "SELECT \(columns.names) FROM sign_ins"
    private static let inserting = SQLStatement.insert(into: "sign_ins", columns)
    private static let updating: SQLStatement =
        "UPDATE sign_ins SET last_used = ?, ends = ?, revoked = ?, approver_key = ? WHERE grant_id = ?"
    private static let newestFirst: SQLText = "ORDER BY signed_in DESC, \(.arrival) DESC"
    private static let byGrant: SQLStatement = "\(selection) WHERE grant_id = ?"
    static let byGrants = SQLKeyedQuery { "\(selection) WHERE grant_id IN (\($0))" }
    /// Computing the list first makes PostgreSQL use an index. Only PostgreSQL runs this; SQLite has no ANY.
    static let byFamilies = SQLKeyedQuery {
        "\(selection) WHERE grant_id = ANY(ARRAY(\(SQLRefreshTokenRepository.grants(ofFamilies: $0))))"
    }
    /// The people who are signed in by the families whose keys have these places.
    static func subjects(ofFamilies places: SQLText) -> SQLText {
        """
        SELECT grant_subject FROM sign_ins
        WHERE grant_id = ANY(ARRAY(\(SQLRefreshTokenRepository.grants(ofFamilies: places))))
        """
    }
    private static let bySubject: SQLStatement =
        "\(selection) WHERE grant_subject = ? AND revoked IS NULL \(newestFirst) LIMIT 1000"
    private static let bySubjectNext: SQLStatement = """
        \(selection) WHERE grant_subject = ? AND revoked IS NULL
        AND (signed_in, \(.arrival)) < (SELECT signed_in, \(.arrival) FROM sign_ins WHERE grant_id = ?)
        \(newestFirst) LIMIT 1000
        """
    private static let bySubjectAndClient: SQLStatement =
        "\(selection) WHERE grant_subject = ? AND grant_client = ? AND revoked IS NULL \(newestFirst) LIMIT 1000"
    private static let byClient: SQLStatement =
        "\(selection) WHERE grant_client = ? AND revoked IS NULL \(newestFirst) LIMIT ?"
    private static let byClientAndDomain: SQLStatement =
        "\(selection) WHERE grant_client = ? AND domain = ? AND revoked IS NULL \(newestFirst) LIMIT 1"
    private static let byDomain: SQLStatement = "\(selection) WHERE domain = ? AND revoked IS NULL LIMIT ?"
    private static let bySession: SQLStatement =
        "\(selection) WHERE session = ? AND revoked IS NULL ORDER BY \(.arrival) LIMIT 1000"
    private static let bySessionNext: SQLStatement = """
        \(selection) WHERE session = ? AND revoked IS NULL
        AND \(.arrival) > (SELECT \(.arrival) FROM sign_ins WHERE grant_id = ?) ORDER BY \(.arrival) LIMIT 1000
        """
    private static let ended: SQLStatement = "SELECT grant_id FROM sign_ins WHERE ends < ? ORDER BY ends LIMIT ?"
    private static let removing: SQLStatement = "DELETE FROM sign_ins WHERE grant_id = ?"

    let connection: any SQLConnection
    let prefetched: PrefetchedRows?

    func insert(_ record: SignInRecord) throws {
        prefetched?.forgetSignIn(record.grant.id)
        let own: [SQLValue?] = [
            record.signedIn.column, record.lastUsed.column, record.ends.column, record.revoked?.column,
            record.approverKey?.rawRepresentation.column, record.session?.id.column, record.session?.expires.column,
            record.isFromTicket.column,
        ]
        try connection.insert(
            Self.inserting,
            own + (try GrantColumns.values(record.grant)) + RequestColumns.values(record.request)
        )
    }

    func find(_ grant: Grant.ID) throws -> SignInRecord? {
        if let prefetched = prefetched?.signIn(grant) { return prefetched }
        return try connection.first(Self.byGrant, [grant.column], Self.record)
    }

    func all(of subject: Subject) throws -> [SignInRecord] {
        try connection.all(Self.bySubject, [subject.column], Self.record)
    }

    func all(of subject: Subject, after last: Grant.ID) throws -> [SignInRecord] {
        try connection.all(Self.bySubjectNext, [subject.column, last.column], Self.record)
    }

    func all(of subject: Subject, at client: ClientID) throws -> [SignInRecord] {
        try connection.all(Self.bySubjectAndClient, [subject.column, client.column], Self.record)
    }

    func update(_ record: SignInRecord) throws {
        prefetched?.forgetSignIn(record.grant.id)
        try connection.write(
            Self.updating,
            [
                record.lastUsed.column, record.ends.column, record.revoked?.column,
                record.approverKey?.rawRepresentation.column, record.grant.id.column,
            ]
        )
    }

    func all(of client: ClientID, limit: Int) throws -> [SignInRecord] {
        try connection.all(Self.byClient, [client.column, limit.column], Self.record)
    }

    func find(_ client: ClientID, _ domain: Domain) throws -> SignInRecord? {
        try connection.first(Self.byClientAndDomain, [client.column, domain.column], Self.record)
    }

    func all(of domain: Domain, limit: Int) throws -> [SignInRecord] {
        try connection.all(Self.byDomain, [domain.column, limit.column], Self.record)
    }

    func all(of session: ApproverID) throws -> [SignInRecord] {
        try connection.all(Self.bySession, [session.column], Self.record)
    }

    func all(of session: ApproverID, after last: Grant.ID) throws -> [SignInRecord] {
        try connection.all(Self.bySessionNext, [session.column, last.column], Self.record)
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        let ended: [Grant.ID] = try connection.all(Self.ended, [instant.column, limit.column]) { try $0.identifier(0) }
        prefetched?.forgetSignIns()
        let tokens = SQLRefreshTokenRepository(connection: connection, prefetched: prefetched)
        for grant in ended {
            try tokens.removeAll(of: grant)
            try connection.write(Self.removing, [grant.column])
        }
        return ended.count
    }

    static func record(in row: SQLRow) throws -> SignInRecord {
        let start = own.count
        guard let grant = try GrantColumns.grant(in: row, from: start) else { throw UnreadableRow(column: "sign-in") }
        return SignInRecord(
            grant: grant,
            request: try RequestColumns.request(in: row, from: start + GrantColumns.columns.count),
            signedIn: try row.instant(0),
            lastUsed: try row.instant(1),
            ends: try row.instant(2),
            revoked: row.optionalInstant(3),
            approverKey: row.optionalBytes(4).map { ApproverKey(restoring: $0) },
            session: try row.optionalInstant(6).map { SessionReference(id: try row.identifier(5), expires: $0) },
            isFromTicket: try row.bool(7)
        )
    }
}
