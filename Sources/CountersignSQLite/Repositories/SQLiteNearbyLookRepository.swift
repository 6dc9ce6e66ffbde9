internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation
internal import GRDB

/// The table `nearby_looks`.
struct SQLiteNearbyLookRepository: NearbyLookRepository {
    let database: Database

    func insert(_ look: NearbyLook) throws {
        try database.insert(
            """
            INSERT INTO nearby_looks (nonce, request_id, subject, grant_id, shown, expires)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                look.nonce.column, look.request.column, look.subject.column, look.signIn.column, look.shown.bytes,
                look.expires.column,
            ]
        )
    }

    func find(_ nonce: SecretDigest) throws -> NearbyLook? {
        try database.first(
            "SELECT nonce, request_id, subject, grant_id, shown, expires FROM nearby_looks WHERE nonce = ?",
            [nonce.column]
        ) { row in
            NearbyLook(
                nonce: row.digest(0),
                request: row.identifier(1),
                subject: row.identifier(2),
                signIn: row.identifier(3),
                shown: ShownDigest(restoring: row.bytes(4)),
                expires: row.instant(5)
            )
        }
    }

    func removeAll(of request: SignInRequest.ID) throws {
        try database.change("DELETE FROM nearby_looks WHERE request_id = ?", [request.column])
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try database.change(
            """
            DELETE FROM nearby_looks WHERE rowid IN
                (SELECT rowid FROM nearby_looks WHERE expires < ? ORDER BY expires LIMIT ?)
            """,
            [instant.column, limit]
        )
    }
}
