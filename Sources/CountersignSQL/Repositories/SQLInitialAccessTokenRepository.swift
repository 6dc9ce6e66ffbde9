internal import Countersign
internal import CountersignStorage

/// The table `initial_access_tokens`.
struct SQLInitialAccessTokenRepository: InitialAccessTokenRepository, SQLTable, SQLExpiringTable {
    static let table: SQLText = "initial_access_tokens"
    static let columns: SQLColumns = ["id", "token", "allowance", "uses", "created", "expires"]
    static let usual = SQLStatements(of: Self.self, key: ["token"])
    private static let everything = selection(orderedBy: "created, id")
    private static let updating: SQLStatement = "UPDATE initial_access_tokens SET uses = ? WHERE id = ?"
    private static let removing = removal("id = ?")
    static let sweeping = sweep(by: "expires")

    let connection: any SQLConnection

    static func values(of token: InitialAccessToken) throws -> [SQLValue?] {
        [
            token.id.column, token.token.column, try .document(token.allowance), token.uses.column,
            token.created.column, token.expires.column,
        ]
    }

    static func record(in row: SQLRow) throws -> InitialAccessToken {
        try InitialAccessToken(
            id: row[0], token: row[1], allowance: row.document(2), uses: row[3], created: row[4], expires: row[5])
    }

    func find(_ token: SecretDigest) throws -> InitialAccessToken? { try first(Self.usual.find, token.column) }
    func all() throws -> [InitialAccessToken] { try all(Self.everything) }
    func update(_ token: InitialAccessToken) throws { try write(Self.updating, token.uses.column, token.id.column) }
    func remove(_ id: InitialAccessToken.ID) throws -> Bool { try runs(Self.removing, id.column) }
}
