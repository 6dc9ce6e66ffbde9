internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation
internal import GRDB

/// The table `nearby_decisions`.
struct SQLiteNearbyDecisionRepository: NearbyDecisionRepository {
    let database: Database

    func insert(_ decision: NearbyDecisionRecord) throws {
        try database.insert(
            """
            INSERT INTO nearby_decisions (request_id, subject, grant_id, approver_key, decided, signed)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                decision.request.column, decision.subject.column, decision.signIn.column,
                decision.key.rawRepresentation, decision.decided.column, decision.signed.column,
            ]
        )
    }

    func find(_ request: SignInRequest.ID) throws -> NearbyDecisionRecord? {
        try database.first(
            """
            SELECT request_id, subject, grant_id, approver_key, decided, signed FROM nearby_decisions
            WHERE request_id = ?
            """,
            [request.column]
        ) { row in
            NearbyDecisionRecord(
                request: row.identifier(0),
                subject: row.identifier(1),
                signIn: row.identifier(2),
                key: ApproverKey(restoring: row.bytes(3)),
                decided: row.instant(4),
                signed: row[5]
            )
        }
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try database.change(
            """
            DELETE FROM nearby_decisions WHERE rowid IN
                (SELECT rowid FROM nearby_decisions WHERE decided < ? ORDER BY decided LIMIT ?)
            """,
            [instant.column, limit]
        )
    }
}
