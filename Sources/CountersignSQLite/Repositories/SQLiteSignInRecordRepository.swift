internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation
internal import GRDB

/// The table `sign_ins`.
struct SQLiteSignInRecordRepository: SignInRecordRepository {
    private static let selection = """
        SELECT signed_in, last_used, ends, revoked, approver_key, \(GrantColumns.names), \(RequestColumns.names)
        FROM sign_ins
        """
    private static let insertion = """
        INSERT INTO sign_ins
            (signed_in, last_used, ends, revoked, approver_key, \(GrantColumns.names), \(RequestColumns.names))
        VALUES (?, ?, ?, ?, ?, \(GrantColumns.places), \(RequestColumns.places))
        """
    private static let byGrant = "\(selection) WHERE grant_id = ?"
    private static let bySubject = """
        \(selection) WHERE grant_subject = ? AND revoked IS NULL ORDER BY signed_in DESC, rowid DESC LIMIT 1000
        """
    private static let byClient = """
        \(selection) WHERE grant_client = ? AND revoked IS NULL ORDER BY signed_in DESC, rowid DESC LIMIT ?
        """
    private static let byClientAndDomain = """
        \(selection) WHERE grant_client = ? AND domain = ? AND revoked IS NULL
        ORDER BY signed_in DESC, rowid DESC LIMIT 1
        """
    private static let byDomain = "\(selection) WHERE domain = ? AND revoked IS NULL LIMIT ?"

    let database: Database

    func insert(_ record: SignInRecord) throws {
        let columns: [Column] =
            [
                record.signedIn.column, record.lastUsed.column, record.ends.column, record.revoked?.column,
                record.approverKey?.rawRepresentation,
            ]
            + (try GrantColumns.values(record.grant)) + RequestColumns.values(record.request)
        try database.insert(Self.insertion, columns)
    }

    func find(_ grant: Grant.ID) throws -> SignInRecord? {
        try database.first(Self.byGrant, [grant.column], record)
    }

    func all(of subject: Subject) throws -> [SignInRecord] {
        try database.all(Self.bySubject, [subject.column], record)
    }

    func update(_ record: SignInRecord) throws {
        try database.change(
            "UPDATE sign_ins SET last_used = ?, ends = ?, revoked = ?, approver_key = ? WHERE grant_id = ?",
            [
                record.lastUsed.column, record.ends.column, record.revoked?.column,
                record.approverKey?.rawRepresentation, record.grant.id.column,
            ]
        )
    }

    func all(of client: ClientID, limit: Int) throws -> [SignInRecord] {
        try database.all(Self.byClient, [client.column, limit], record)
    }

    func find(_ client: ClientID, _ domain: Domain) throws -> SignInRecord? {
        try database.first(Self.byClientAndDomain, [client.column, domain.column], record)
    }

    func all(of domain: Domain, limit: Int) throws -> [SignInRecord] {
        try database.all(Self.byDomain, [domain.column, limit], record)
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try database.change(
            """
            DELETE FROM sign_ins WHERE rowid IN
                (SELECT rowid FROM sign_ins WHERE ends < ? ORDER BY ends LIMIT ?)
            """,
            [instant.column, limit]
        )
    }

    private func record(in row: Row) throws -> SignInRecord {
        guard let grant = try GrantColumns.grant(in: row, from: 5) else { throw UnreadableRow(column: "sign-in") }
        return SignInRecord(
            grant: grant,
            request: try RequestColumns.request(in: row, from: 5 + GrantColumns.count),
            signedIn: row.instant(0),
            lastUsed: row.instant(1),
            ends: row.instant(2),
            revoked: row.optionalInstant(3),
            approverKey: row.hasNull(atIndex: 4) ? nil : ApproverKey(restoring: row.bytes(4))
        )
    }
}
