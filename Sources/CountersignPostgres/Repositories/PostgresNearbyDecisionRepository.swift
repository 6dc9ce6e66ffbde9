#if PostgreSQL
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// The table `nearby_decisions`.
struct PostgresNearbyDecisionRepository: NearbyDecisionRepository {
    let connection: Connection

    func insert(_ decision: NearbyDecisionRecord) throws {
        try connection.insert(
            """
            INSERT INTO nearby_decisions (request_id, subject, grant_id, approver_key, decided, signed)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
            """,
            [
                decision.request.column, decision.subject.column, decision.signIn.column,
                decision.key.rawRepresentation, decision.decided.column, decision.signed.column,
            ]
        )
    }

    func find(_ request: SignInRequest.ID) throws -> NearbyDecisionRecord? {
        try connection.first(
            """
            SELECT request_id, subject, grant_id, approver_key, decided, signed FROM nearby_decisions
            WHERE request_id = $1
            """,
            [request.column]
        ) { row in
            NearbyDecisionRecord(
                request: try row.identifier(0),
                subject: try row.identifier(1),
                signIn: try row.identifier(2),
                key: ApproverKey(restoring: try row.bytes(3)),
                decided: try row.instant(4),
                signed: try row.text(5)
            )
        }
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(
            """
            DELETE FROM nearby_decisions WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM nearby_decisions WHERE decided < $1 ORDER BY decided LIMIT $2))
            """,
            [instant.column, limit]
        )
    }
}
#endif
