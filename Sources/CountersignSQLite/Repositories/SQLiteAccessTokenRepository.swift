internal import Countersign
internal import CountersignServer
internal import Foundation
internal import GRDB

/// The table `access_tokens`, the busiest of all: plain columns, no document.
struct SQLiteAccessTokenRepository: AccessTokenRepository {
    let database: Database

    func insert(_ token: AccessTokenRecord) throws {
        try database.insert(
            """
            INSERT INTO access_tokens (token, id, client, subject, grant_id, scope, audience, issued, expires)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                token.token.column, token.id.rawValue, token.client.rawValue, token.subject?.rawValue,
                token.grant?.rawValue, token.scope.description, token.audience, token.issued.column,
                token.expires.column,
            ]
        )
    }

    func find(_ token: SecretDigest) throws -> AccessTokenRecord? {
        try database.first(
            """
            SELECT id, client, subject, grant_id, scope, audience, issued, expires
            FROM access_tokens WHERE token = ?
            """,
            [token.column]
        )
        .map { row in
            guard let scope = Scope(parsing: row[4]) else { throw UnreadableRow(table: "access_tokens") }
            return AccessTokenRecord(
                token: token,
                id: row.identifier(0),
                client: row.identifier(1),
                subject: row.optionalIdentifier(2),
                grant: row.optionalIdentifier(3),
                scope: scope,
                audience: row[5],
                issued: row.instant(6),
                expires: row.instant(7)
            )
        }
    }

    func remove(_ token: SecretDigest) throws {
        try database.change("DELETE FROM access_tokens WHERE token = ?", [token.column])
    }

    func removeAll(of grant: Grant.ID) throws {
        try database.change("DELETE FROM access_tokens WHERE grant_id = ?", [grant.rawValue])
    }

    func removeAll(of client: ClientID) throws {
        try database.change("DELETE FROM access_tokens WHERE client = ?", [client.rawValue])
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try database.change(
            """
            DELETE FROM access_tokens WHERE rowid IN
                (SELECT rowid FROM access_tokens WHERE expires < ? ORDER BY expires LIMIT ?)
            """,
            [instant.column, limit]
        )
    }
}
