internal import Countersign
internal import CountersignServer
internal import Foundation
internal import GRDB

/// The table `refresh_tokens`: plain columns, no document.
struct SQLiteRefreshTokenRepository: RefreshTokenRepository {
    let database: Database

    func insert(_ token: RefreshTokenRecord) throws {
        try database.insert(
            """
            INSERT INTO refresh_tokens (token, grant_id, client, issued, expires, rotated, answer)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                token.token.column, token.grant.column, token.client.column, token.issued.column,
                token.expires.column, token.use.rotated?.column, token.use.answer,
            ]
        )
    }

    func find(_ token: SecretDigest) throws -> RefreshTokenRecord? {
        try database.first(
            "SELECT grant_id, client, issued, expires, rotated, answer FROM refresh_tokens WHERE token = ?",
            [token.column]
        ) { row in
            RefreshTokenRecord(
                token: token,
                grant: row.identifier(0),
                client: row.identifier(1),
                issued: row.instant(2),
                expires: row.instant(3),
                use: RefreshTokenRecord.Use(rotated: row.optionalInstant(4), answer: row[5])
            )
        }
    }

    func update(_ token: RefreshTokenRecord) throws {
        try database.change(
            "UPDATE refresh_tokens SET rotated = ?, answer = ? WHERE token = ?",
            [token.use.rotated?.column, token.use.answer, token.token.column]
        )
    }

    func removeAll(of grant: Grant.ID) throws {
        try database.change("DELETE FROM refresh_tokens WHERE grant_id = ?", [grant.column])
    }

    func forgetAnswers(before instant: Date, limit: Int) throws -> Int {
        try database.change(
            """
            UPDATE refresh_tokens SET answer = NULL WHERE rowid IN
                (SELECT rowid FROM refresh_tokens WHERE answer IS NOT NULL AND rotated < ?
                 ORDER BY rotated LIMIT ?)
            """,
            [instant.column, limit]
        )
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try database.change(
            """
            DELETE FROM refresh_tokens WHERE rowid IN
                (SELECT rowid FROM refresh_tokens WHERE expires < ? ORDER BY expires LIMIT ?)
            """,
            [instant.column, limit]
        )
    }
}

extension RefreshTokenRecord.Use {
    fileprivate init(rotated: Date?, answer: Data?) {
        guard let rotated else {
            self = .unused
            return
        }
        self = .rotated(at: rotated, answer: answer.map { SealedAnswer(restoring: Array($0)) })
    }

    fileprivate var rotated: Date? {
        switch self {
        case .unused: nil
        case .rotated(at: let instant, answer: _): instant
        }
    }

    fileprivate var answer: Data? {
        switch self {
        case .unused: nil
        case .rotated(at: _, answer: let answer): answer.map { Data($0.bytes) }
        }
    }
}
