#if PostgreSQL
internal import Countersign
internal import CountersignServer
internal import Foundation

/// The table `refresh_tokens`: plain columns, no document.
struct PostgresRefreshTokenRepository: RefreshTokenRepository {
    let connection: Connection

    func insert(_ token: RefreshTokenRecord) throws {
        try connection.insert(
            """
            INSERT INTO refresh_tokens (token, grant_id, client, issued, expires, rotated, answer)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING
            """,
            [
                token.token.column, token.grant.column, token.client.column, token.issued.column,
                token.expires.column, token.use.rotated?.column, token.use.answer,
            ]
        )
    }

    func find(_ token: SecretDigest) throws -> RefreshTokenRecord? {
        try connection.first(
            "SELECT grant_id, client, issued, expires, rotated, answer FROM refresh_tokens WHERE token = $1",
            [token.column]
        ) { row in
            RefreshTokenRecord(
                token: token,
                grant: try row.identifier(0),
                client: try row.identifier(1),
                issued: try row.instant(2),
                expires: try row.instant(3),
                use: RefreshTokenRecord.Use(rotated: try row.optionalInstant(4), answer: row.optionalBytes(5))
            )
        }
    }

    func update(_ token: RefreshTokenRecord) throws {
        try connection.change(
            "UPDATE refresh_tokens SET rotated = $1, answer = $2 WHERE token = $3",
            [token.use.rotated?.column, token.use.answer, token.token.column]
        )
    }

    func removeAll(of grant: Grant.ID) throws {
        try connection.change("DELETE FROM refresh_tokens WHERE grant_id = $1", [grant.column])
    }

    func forgetAnswers(before instant: Date, limit: Int) throws -> Int {
        try connection.change(
            """
            UPDATE refresh_tokens SET answer = NULL WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM refresh_tokens WHERE answer IS NOT NULL AND rotated < $1
                 ORDER BY rotated LIMIT $2))
            """,
            [instant.column, limit]
        )
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(
            """
            DELETE FROM refresh_tokens WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM refresh_tokens WHERE expires < $1 ORDER BY expires LIMIT $2))
            """,
            [instant.column, limit]
        )
    }
}

extension RefreshTokenRecord.Use {
    fileprivate init(rotated: Date?, answer: [UInt8]?) {
        guard let rotated else {
            self = .unused
            return
        }
        self = .rotated(at: rotated, answer: answer.map { SealedAnswer(restoring: $0) })
    }

    fileprivate var rotated: Date? {
        switch self {
        case .unused: nil
        case .rotated(at: let instant, answer: _): instant
        }
    }

    fileprivate var answer: [UInt8]? {
        switch self {
        case .unused: nil
        case .rotated(at: _, answer: let answer): answer?.bytes
        }
    }
}
#endif
