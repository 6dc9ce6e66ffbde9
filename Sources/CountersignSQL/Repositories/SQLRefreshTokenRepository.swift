internal import Countersign
internal import CountersignStorage

/// The table `refresh_tokens`.
struct SQLRefreshTokenRepository: RefreshTokenRepository, SQLTable {
    static let table: SQLText = "refresh_tokens"
    static let columns: SQLColumns = ["family", "token", "grant_id", "client", "issued", "expires", "key_thumbprint"]
    static let usual = SQLStatements(of: Self.self, key: ["family"])
    static let byFamilies = SQLKeyedQuery { "SELECT \(columns.names) FROM refresh_tokens WHERE family IN (\($0))" }
    /// The grants of the families whose keys have these places.
    static func grants(ofFamilies places: SQLText) -> SQLText {
        "SELECT grant_id FROM refresh_tokens WHERE family IN (\(places))"
    }
    private static let updating = update(["token", "issued", "expires", "key_thumbprint"], where: "family = ?")
    private static let removingOfGrant = removal("grant_id = ?")

    let connection: any SQLConnection
    let prefetched: PrefetchedRows?

    static func values(of token: RefreshTokenRecord) -> [SQLValue?] {
        [
            token.family.column, token.token.column, token.grant.column, token.client.column, token.issued.column,
            token.expires.column, token.key?.column,
        ]
    }

    static func record(in row: SQLRow) throws -> RefreshTokenRecord {
        try RefreshTokenRecord(
            family: row[0], token: row[1], grant: row[2], client: row[3], issued: row[4], expires: row[5], key: row[6])
    }

    func insert(_ token: RefreshTokenRecord) throws {
        prefetched?.forgetRefreshToken(token.family)
        try insertRow(token)
    }

    func find(_ family: SecretDigest) throws -> RefreshTokenRecord? {
        if let prefetched = prefetched?.refreshToken(family) { return prefetched }
        return try first(Self.usual.find, family.column)
    }

    func update(_ token: RefreshTokenRecord) throws {
        prefetched?.forgetRefreshToken(token.family)
        try write(
            Self.updating, token.token.column, token.issued.column, token.expires.column, token.key?.column,
            token.family.column)
    }

    func removeAll(of grant: Grant.ID) throws {
        prefetched?.forgetRefreshTokens()
        try write(Self.removingOfGrant, grant.column)
    }
}
