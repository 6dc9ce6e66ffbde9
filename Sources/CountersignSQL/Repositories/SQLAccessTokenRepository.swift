internal import Countersign
internal import CountersignStorage

/// The table `access_tokens`, the busiest of all.
struct SQLAccessTokenRepository: AccessTokenRepository, SQLExpiringTable {
    private static let columns: SQLColumns = [
        "id", "client", "subject", "grant_id", "scope", "audience", "issued", "expires",
        "key_thumbprint", "authenticated", "acr", "evidence",
    ]
    private static let inserting = SQLStatement.insert(
        into: "access_tokens",
        ["number", "token"] + columns,
        values: "\(.numbered(in: "access_tokens", by: "token")), \(columns.places)"
    )
    private static let byToken: SQLStatement = "SELECT \(columns.names) FROM access_tokens WHERE \(.isRow(of: "token"))"
    private static let removing: SQLStatement = "DELETE FROM access_tokens WHERE \(.isRow(of: "token"))"
    private static let removingOfGrant: SQLStatement = "DELETE FROM access_tokens WHERE grant_id = ?"
    private static let removingOfClient: SQLStatement =
        "DELETE FROM access_tokens WHERE \(.rows(of: "access_tokens", where: "client = ? LIMIT ?"))"
    private static let removingOfAudience: SQLStatement = "DELETE FROM access_tokens WHERE client = ? AND audience = ?"
    static let sweeping = SQLStatement.sweep("access_tokens", by: "expires")

    let connection: any SQLConnection
    let change: ChangeCollector?

    /// The values of ``SQLText/isRow(of:)``.
    private static func row(of token: SecretDigest) -> [SQLValue?] {
        let number = RowNumber(of: token)
        return [number.rawValue.column, number.last.column, token.column]
    }

    func insert(_ token: AccessTokenRecord) throws {
        try connection.insert(
            Self.inserting,
            [
                RowNumber(of: token.token).rawValue.column, token.token.column,
                token.id.column, token.client.column, token.subject?.column,
                token.grant?.column, token.scope.column, token.audience.column, token.issued.column,
                token.expires.column, token.key?.column, token.authenticated?.column, token.authenticationClass?.column,
                token.evidence?.column,
            ]
        )
    }

    func find(_ token: SecretDigest) throws -> AccessTokenRecord? {
        try connection.first(Self.byToken, Self.row(of: token)) { row in
            try AccessTokenRecord(
                token: token, id: row[0], client: row[1], subject: row[2], grant: row[3], scope: row[4],
                audience: row[5], issued: row[6], expires: row[7], key: row[8], authenticated: row[9],
                authenticationClass: row[10], evidence: row[11])
        }
    }

    func remove(_ token: SecretDigest) throws {
        change?.add(.accessToken(token))
        try connection.write(Self.removing, Self.row(of: token))
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
}
