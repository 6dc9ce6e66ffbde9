internal import Countersign
internal import CountersignServer
internal import Foundation
internal import GRDB

/// The table `sign_ins`.
struct SQLiteSignInRecordRepository: SignInRecordRepository {
    /// What never changes once somebody is signed in.
    private struct Document: Codable {
        let grant: Grant
        let request: SignInRequest
    }

    private static let columns = "document, signed_in, last_used, ends, revoked"

    let database: Database

    func insert(_ record: SignInRecord) throws {
        try database.insert(
            """
            INSERT INTO sign_ins (grant_id, subject, client, signed_in, last_used, ends, revoked, document)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                record.grant.id.rawValue, record.grant.subject.rawValue, record.grant.client.rawValue,
                record.signedIn.column, record.lastUsed.column, record.ends.column, record.revoked?.column,
                try documentText(Document(grant: record.grant, request: record.request)),
            ]
        )
    }

    func find(_ grant: Grant.ID) throws -> SignInRecord? {
        try database.first("SELECT \(Self.columns) FROM sign_ins WHERE grant_id = ?", [grant.rawValue]).map(record)
    }

    func all(of subject: Subject) throws -> [SignInRecord] {
        try database.all(
            """
            SELECT \(Self.columns) FROM sign_ins WHERE subject = ? AND revoked IS NULL
            ORDER BY signed_in DESC, rowid DESC LIMIT 1000
            """,
            [subject.rawValue]
        )
        .map(record)
    }

    func update(_ record: SignInRecord) throws {
        try database.change(
            "UPDATE sign_ins SET last_used = ?, ends = ?, revoked = ? WHERE grant_id = ?",
            [record.lastUsed.column, record.ends.column, record.revoked?.column, record.grant.id.rawValue]
        )
    }

    func all(of client: ClientID, limit: Int) throws -> [SignInRecord] {
        try database.all(
            """
            SELECT \(Self.columns) FROM sign_ins WHERE client = ? AND revoked IS NULL
            ORDER BY signed_in DESC, rowid DESC LIMIT ?
            """,
            [client.rawValue, limit]
        )
        .map(record)
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
        let document: Document = try row.document(0)
        return SignInRecord(
            grant: document.grant,
            request: document.request,
            signedIn: row.instant(1),
            lastUsed: row.instant(2),
            ends: row.instant(3),
            revoked: row.optionalInstant(4)
        )
    }
}
