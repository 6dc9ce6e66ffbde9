internal import Countersign
internal import CountersignServer
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The table `refresh_tokens`.
struct SQLRefreshTokenRepository: RefreshTokenRepository {
    private static let columns: SQLColumns = [
        "family", "token", "grant_id", "client", "issued", "expires", "key_thumbprint",
    ]
    private static let inserting = SQLStatement.insert(into: "refresh_tokens", columns)
    private static let byFamily: SQLStatement = "SELECT \(columns.names) FROM refresh_tokens WHERE family = ?"
    static let byFamilies = SQLKeyedQuery { "SELECT \(columns.names) FROM refresh_tokens WHERE family IN (\($0))" }
    /// The grants of the families whose keys have these places.
    static func grants(ofFamilies places: SQLText) -> SQLText {
        "SELECT grant_id FROM refresh_tokens WHERE family IN (\(places))"
    }
    private static let updating: SQLStatement =
        "UPDATE refresh_tokens SET (token, issued, expires, key_thumbprint) = (?, ?, ?, ?) WHERE family = ?"
    private static let removingOfGrant: SQLStatement = "DELETE FROM refresh_tokens WHERE grant_id = ?"

    let connection: any SQLConnection
    let prefetched: PrefetchedRows?

    func insert(_ token: RefreshTokenRecord) throws {
        prefetched?.forgetRefreshToken(token.family)
        try connection.insert(
            Self.inserting,
            [
                token.family.column, token.token.column, token.grant.column, token.client.column, token.issued.column,
                token.expires.column, token.key?.column,
            ]
        )
    }

    func find(_ family: SecretDigest) throws -> RefreshTokenRecord? {
        if let prefetched = prefetched?.refreshToken(family) { return prefetched }
        return try connection.first(Self.byFamily, [family.column], Self.token)
    }

    func update(_ token: RefreshTokenRecord) throws {
        prefetched?.forgetRefreshToken(token.family)
        try connection.write(
            Self.updating,
            [
                token.token.column, token.issued.column, token.expires.column, token.key?.column, token.family.column,
            ]
        )
    }

    func removeAll(of grant: Grant.ID) throws {
        prefetched?.forgetRefreshTokens()
        try connection.write(Self.removingOfGrant, [grant.column])
    }

    static func token(in row: SQLRow) throws -> RefreshTokenRecord {
        RefreshTokenRecord(
            family: try row.digest(0),
            token: try row.digest(1),
            grant: try row.identifier(2),
            client: try row.identifier(3),
            issued: try row.instant(4),
            expires: try row.instant(5),
            key: row.optionalIdentifier(6)
        )
    }
}
