#if PostgreSQL
internal import Countersign
internal import CountersignServer
internal import Foundation

/// The table `access_tokens`, the busiest of all: plain columns, no document.
struct PostgresAccessTokenRepository: AccessTokenRepository {
    let connection: Connection
    let news: NewsSheet?

    func insert(_ token: AccessTokenRecord) throws {
        try connection.insert(
            """
            INSERT INTO access_tokens (token, id, client, subject, grant_id, scope, audience, issued, expires)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING
            """,
            [
                token.token.column, token.id.column, token.client.column, token.subject?.column,
                token.grant?.column, token.scope.description.column, token.audience.column, token.issued.column,
                token.expires.column,
            ]
        )
    }

    func find(_ token: SecretDigest) throws -> AccessTokenRecord? {
        try connection.first(
            """
            SELECT id, client, subject, grant_id, scope, audience, issued, expires
            FROM access_tokens WHERE token = $1
            """,
            [token.column]
        ) { row in
            AccessTokenRecord(
                token: token,
                id: try row.identifier(0),
                client: try row.identifier(1),
                subject: row.optionalIdentifier(2),
                grant: row.optionalIdentifier(3),
                scope: try row.scope(4),
                audience: try row.text(5),
                issued: try row.instant(6),
                expires: try row.instant(7)
            )
        }
    }

    func remove(_ token: SecretDigest) throws {
        news?.note(.accessToken(token))
        try connection.change("DELETE FROM access_tokens WHERE token = $1", [token.column])
    }

    func removeAll(of grant: Grant.ID) throws {
        news?.note(.tokensOfGrant(grant))
        try connection.change("DELETE FROM access_tokens WHERE grant_id = $1", [grant.column])
    }

    func removeAll(of client: ClientID, limit: Int) throws -> Int {
        news?.note(.tokensOfClient(client))
        return try connection.change(
            """
            DELETE FROM access_tokens WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM access_tokens WHERE client = $1 LIMIT $2))
            """,
            [client.column, limit]
        )
    }

    func removeAll(of client: ClientID, for audience: String) throws {
        news?.note(.tokensOfClient(client))
        try connection.change(
            "DELETE FROM access_tokens WHERE client = $1 AND audience = $2",
            [client.column, audience.column]
        )
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(
            """
            DELETE FROM access_tokens WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM access_tokens WHERE expires < $1 ORDER BY expires LIMIT $2))
            """,
            [instant.column, limit]
        )
    }
}
#endif
