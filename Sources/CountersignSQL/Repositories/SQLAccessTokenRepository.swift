internal import Countersign
internal import CountersignServer
internal import Foundation

/// The table `access_tokens`, the busiest of all.
struct SQLAccessTokenRepository: AccessTokenRepository {
    private static let columns: SQLColumns = [
        "token", "id", "client", "subject", "grant_id", "scope", "audience", "issued", "expires",
        "key_thumbprint", "authenticated", "acr",
    ]
    private static let inserting = SQLStatement.insert(into: "access_tokens", columns)
    private static let byToken: SQLStatement = "SELECT \(columns.names) FROM access_tokens WHERE token = ?"
    private static let removing: SQLStatement = "DELETE FROM access_tokens WHERE token = ?"
    private static let removingOfGrant: SQLStatement = "DELETE FROM access_tokens WHERE grant_id = ?"
    private static let removingOfClient: SQLStatement =
        "DELETE FROM access_tokens WHERE \(.rows(of: "access_tokens", by: "token", where: "client = ? LIMIT ?"))"
    private static let removingOfAudience: SQLStatement =
        "DELETE FROM access_tokens WHERE client = ? AND audience = ?"
    private static let sweeping = SQLStatement.sweep("access_tokens", by: "expires", key: "token")

    let connection: any SQLConnection
    let change: ChangeCollector?

    func insert(_ token: AccessTokenRecord) throws {
        try connection.insert(
            Self.inserting,
            [
                token.token.column, token.id.column, token.client.column, token.subject?.column,
                token.grant?.column, token.scope.column, token.audience.column, token.issued.column,
                token.expires.column, token.key?.column, token.authenticated?.column, token.authenticationClass?.column,
            ]
        )
    }

    func find(_ token: SecretDigest) throws -> AccessTokenRecord? {
        try connection.first(Self.byToken, [token.column]) { row in
            AccessTokenRecord(
                token: token,
                id: try row.identifier(1),
                client: try row.identifier(2),
                subject: row.optionalIdentifier(3),
                grant: row.optionalIdentifier(4),
                scope: try row.scope(5),
                audience: try row.text(6),
                issued: try row.instant(7),
                expires: try row.instant(8),
                key: row.optionalIdentifier(9),
                authenticated: row.optionalInstant(10),
                authenticationClass: row.optionalText(11)
            )
        }
    }

    func remove(_ token: SecretDigest) throws {
        change?.add(.accessToken(token))
        try connection.write(Self.removing, [token.column])
    }

    func removeAll(of grant: Grant.ID) throws {
        change?.add(.tokensOfGrant(grant))
        try connection.write(Self.removingOfGrant, [grant.column])
    }

    func removeAll(of client: ClientID, limit: Int) throws -> Int {
        change?.add(.tokensOfClient(client))
        return try connection.change(Self.removingOfClient, [client.column, limit.column])
    }

    func removeAll(of client: ClientID, for audience: String) throws {
        change?.add(.tokensOfClient(client))
        try connection.write(Self.removingOfAudience, [client.column, audience.column])
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(Self.sweeping, [instant.column, limit.column])
    }
}
