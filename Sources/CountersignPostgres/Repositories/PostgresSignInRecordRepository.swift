#if PostgreSQL
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// The table `sign_ins`.
struct PostgresSignInRecordRepository: SignInRecordRepository {
    private static let selection = """
        SELECT signed_in, last_used, ends, revoked, approver_key, \(GrantColumns.names), \(RequestColumns.names)
        FROM sign_ins
        """
    private static let insertion = """
        INSERT INTO sign_ins
            (signed_in, last_used, ends, revoked, approver_key, \(GrantColumns.names), \(RequestColumns.names))
        VALUES (\(places(5 + GrantColumns.count + RequestColumns.count))) ON CONFLICT DO NOTHING
        """
    private static let byGrant = "\(selection) WHERE grant_id = $1"
    private static let bySubject = """
        \(selection) WHERE grant_subject = $1 AND revoked IS NULL ORDER BY signed_in DESC, arrival DESC LIMIT 1000
        """
    private static let byClient = """
        \(selection) WHERE grant_client = $1 AND revoked IS NULL ORDER BY signed_in DESC, arrival DESC LIMIT $2
        """
    private static let byClientAndDomain = """
        \(selection) WHERE grant_client = $1 AND domain = $2 AND revoked IS NULL
        ORDER BY signed_in DESC, arrival DESC LIMIT 1
        """
    private static let byDomain = "\(selection) WHERE domain = $1 AND revoked IS NULL LIMIT $2"

    let connection: Connection

    func insert(_ record: SignInRecord) throws {
        let columns: [Column] =
            [
                record.signedIn.column, record.lastUsed.column, record.ends.column, record.revoked?.column,
                record.approverKey?.rawRepresentation,
            ]
            + (try GrantColumns.values(record.grant)) + RequestColumns.values(record.request)
        try connection.insert(Self.insertion, columns)
    }

    func find(_ grant: Grant.ID) throws -> SignInRecord? {
        try connection.first(Self.byGrant, [grant.column], record)
    }

    func all(of subject: Subject) throws -> [SignInRecord] {
        try connection.all(Self.bySubject, [subject.column], record)
    }

    func update(_ record: SignInRecord) throws {
        try connection.change(
            "UPDATE sign_ins SET last_used = $1, ends = $2, revoked = $3, approver_key = $4 WHERE grant_id = $5",
            [
                record.lastUsed.column, record.ends.column, record.revoked?.column,
                record.approverKey?.rawRepresentation, record.grant.id.column,
            ]
        )
    }

    func all(of client: ClientID, limit: Int) throws -> [SignInRecord] {
        try connection.all(Self.byClient, [client.column, limit], record)
    }

    func find(_ client: ClientID, _ domain: Domain) throws -> SignInRecord? {
        try connection.first(Self.byClientAndDomain, [client.column, domain.column], record)
    }

    func all(of domain: Domain, limit: Int) throws -> [SignInRecord] {
        try connection.all(Self.byDomain, [domain.column, limit], record)
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(
            """
            DELETE FROM sign_ins WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM sign_ins WHERE ends < $1 ORDER BY ends LIMIT $2))
            """,
            [instant.column, limit]
        )
    }

    private func record(in row: Row) throws -> SignInRecord {
        guard let grant = try GrantColumns.grant(in: row, from: 5) else { throw UnreadableRow(column: "sign-in") }
        return SignInRecord(
            grant: grant,
            request: try RequestColumns.request(in: row, from: 5 + GrantColumns.count),
            signedIn: try row.instant(0),
            lastUsed: try row.instant(1),
            ends: try row.instant(2),
            revoked: try row.optionalInstant(3),
            approverKey: row.optionalBytes(4).map { ApproverKey(restoring: $0) }
        )
    }
}
#endif
