#if PostgreSQL
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// The table `nearby_looks`.
struct PostgresNearbyLookRepository: NearbyLookRepository {
    let connection: Connection

    func insert(_ look: NearbyLook) throws {
        try connection.insert(
            """
            INSERT INTO nearby_looks (nonce, request_id, subject, grant_id, shown, expires)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
            """,
            [
                look.nonce.column, look.request.column, look.subject.column, look.signIn.column, look.shown.bytes,
                look.expires.column,
            ]
        )
    }

    func find(_ nonce: SecretDigest) throws -> NearbyLook? {
        try connection.first(
            "SELECT nonce, request_id, subject, grant_id, shown, expires FROM nearby_looks WHERE nonce = $1",
            [nonce.column]
        ) { row in
            NearbyLook(
                nonce: try row.digest(0),
                request: try row.identifier(1),
                subject: try row.identifier(2),
                signIn: try row.identifier(3),
                shown: ShownDigest(restoring: try row.bytes(4)),
                expires: try row.instant(5)
            )
        }
    }

    func removeAll(of request: SignInRequest.ID) throws {
        try connection.change("DELETE FROM nearby_looks WHERE request_id = $1", [request.column])
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(
            """
            DELETE FROM nearby_looks WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM nearby_looks WHERE expires < $1 ORDER BY expires LIMIT $2))
            """,
            [instant.column, limit]
        )
    }
}
#endif
