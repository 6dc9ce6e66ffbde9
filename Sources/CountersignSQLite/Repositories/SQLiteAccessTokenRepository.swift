internal import Countersign
internal import CountersignServer
internal import Foundation
internal import GRDB

/// The table `access_tokens`, the busiest of all: plain columns, no document.
struct SQLiteAccessTokenRepository: AccessTokenRepository {
    let database: Database
    let news: NewsSheet?

    func insert(_ token: AccessTokenRecord) throws {
        try database.insert(
            """
            INSERT INTO access_tokens (token, id, client, subject, grant_id, scope, audience, issued, expires)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                token.token.column, token.id.column, token.client.column, token.subject?.column,
                token.grant?.column, token.scope.description.column, token.audience.column, token.issued.column,
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
        ) { row in
            AccessTokenRecord(
                token: token,
                id: row.identifier(0),
                client: row.identifier(1),
                subject: row.optionalIdentifier(2),
                grant: row.optionalIdentifier(3),
                scope: try row.scope(4),
                audience: row[5],
                issued: row.instant(6),
                expires: row.instant(7)
            )
        }
    }

    func remove(_ token: SecretDigest) throws {
        news?.note(.accessToken(token))
        try database.change("DELETE FROM access_tokens WHERE token = ?", [token.column])
    }

    func removeAll(of grant: Grant.ID) throws {
        news?.note(.tokensOfGrant(grant))
        try database.change("DELETE FROM access_tokens WHERE grant_id = ?", [grant.column])
    }

    func removeAll(of client: ClientID, limit: Int) throws -> Int {
        news?.note(.tokensOfClient(client))
        return try database.change(
            """
            DELETE FROM access_tokens WHERE rowid IN
                (SELECT rowid FROM access_tokens WHERE client = ? LIMIT ?)
            """,
            [client.column, limit]
        )
    }

    func removeAll(of client: ClientID, for audience: String) throws {
        news?.note(.tokensOfClient(client))
        try database.change(
            "DELETE FROM access_tokens WHERE client = ? AND audience = ?",
            [client.column, audience.column]
        )
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
