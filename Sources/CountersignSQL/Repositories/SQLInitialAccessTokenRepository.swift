internal import Countersign
internal import CountersignServer
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The table `initial_access_tokens`.
struct SQLInitialAccessTokenRepository: InitialAccessTokenRepository {
    private static let columns: SQLColumns = ["id", "token", "allowance", "uses", "created", "expires"]
    private static let inserting = SQLStatement.insert(into: "initial_access_tokens", columns)
    private static let byToken: SQLStatement = "SELECT \(columns.names) FROM initial_access_tokens WHERE token = ?"
    private static let everything: SQLStatement =
        "SELECT \(columns.names) FROM initial_access_tokens ORDER BY created, id"
    private static let updating: SQLStatement = "UPDATE initial_access_tokens SET uses = ? WHERE id = ?"
    private static let removing: SQLStatement = "DELETE FROM initial_access_tokens WHERE id = ?"
    private static let sweeping = SQLStatement.sweep("initial_access_tokens", by: "expires")

    let connection: any SQLConnection

    func insert(_ token: InitialAccessToken) throws {
        try connection.insert(
            Self.inserting,
            [
                token.id.column, token.token.column, try .document(token.allowance), token.uses.column,
                token.created.column, token.expires.column,
            ]
        )
    }

    func find(_ token: SecretDigest) throws -> InitialAccessToken? {
        try connection.first(Self.byToken, [token.column], self.token)
    }

    func all() throws -> [InitialAccessToken] {
        try connection.all(Self.everything, [], token)
    }

    func update(_ token: InitialAccessToken) throws {
        try connection.write(Self.updating, [token.uses.column, token.id.column])
    }

    func remove(_ id: InitialAccessToken.ID) throws -> Bool {
        try connection.change(Self.removing, [id.column]) > 0
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(Self.sweeping, [instant.column, limit.column])
    }

    private func token(in row: SQLRow) throws -> InitialAccessToken {
        InitialAccessToken(
            id: try row.identifier(0),
            token: try row.digest(1),
            allowance: try row.document(2),
            uses: try row.integer(3),
            created: try row.instant(4),
            expires: try row.instant(5)
        )
    }
}
