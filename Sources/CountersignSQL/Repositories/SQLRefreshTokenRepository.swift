internal import Countersign
internal import CountersignServer
internal import Foundation

/// The table `refresh_tokens`.
struct SQLRefreshTokenRepository: RefreshTokenRepository {
    private static let columns: SQLColumns = [
        "token", "grant_id", "client", "issued", "expires", "rotated", "key_thumbprint",
    ]
    private static let inserting = SQLStatement.insert(into: "refresh_tokens", columns)
    private static let byToken: SQLStatement = "SELECT \(columns.names) FROM refresh_tokens WHERE token = ?"
    private static let updating: SQLStatement = "UPDATE refresh_tokens SET (rotated, expires) = (?, ?) WHERE token = ?"
    private static let removingOfGrant: SQLStatement = "DELETE FROM refresh_tokens WHERE grant_id = ?"
    private static let sweeping = SQLStatement.sweep("refresh_tokens", by: "expires")

    let connection: any SQLConnection

    func insert(_ token: RefreshTokenRecord) throws {
        try connection.insert(
            Self.inserting,
            [
                token.token.column, token.grant.column, token.client.column, token.issued.column,
                token.expires.column, token.use.rotated?.column, token.key?.column,
            ]
        )
    }

    func find(_ token: SecretDigest) throws -> RefreshTokenRecord? {
        try connection.first(Self.byToken, [token.column]) { row in
            RefreshTokenRecord(
                token: token,
                grant: try row.identifier(1),
                client: try row.identifier(2),
                issued: try row.instant(3),
                expires: try row.instant(4),
                use: RefreshTokenRecord.Use(rotated: row.optionalInstant(5)),
                key: row.optionalIdentifier(6)
            )
        }
    }

    func update(_ token: RefreshTokenRecord) throws {
        try connection.change(Self.updating, [token.use.rotated?.column, token.expires.column, token.token.column])
    }

    func removeAll(of grant: Grant.ID) throws {
        try connection.change(Self.removingOfGrant, [grant.column])
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(Self.sweeping, [instant.column, limit.column])
    }
}

extension RefreshTokenRecord.Use {
    fileprivate init(rotated: Date?) {
        self = rotated.map { .rotated(at: $0) } ?? .unused
    }

    fileprivate var rotated: Date? {
        switch self {
        case .unused: nil
        case .rotated(at: let instant): instant
        }
    }
}
