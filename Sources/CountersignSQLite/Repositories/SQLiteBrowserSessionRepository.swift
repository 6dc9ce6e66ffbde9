internal import Countersign
internal import CountersignServer
internal import Foundation
internal import GRDB

/// The table `browser_sessions`.
struct SQLiteBrowserSessionRepository: BrowserSessionRepository {
    let database: Database

    func insert(_ session: BrowserSession) throws {
        try database.insert(
            "INSERT INTO browser_sessions (cookie, id, subject, authenticated, expires) VALUES (?, ?, ?, ?, ?)",
            [
                session.cookie.column, session.id.column, session.subject.column,
                session.authenticated.column, session.expires.column,
            ]
        )
    }

    func find(_ cookie: SecretDigest) throws -> BrowserSession? {
        try database.first(
            "SELECT id, subject, authenticated, expires FROM browser_sessions WHERE cookie = ?",
            [cookie.column]
        ) { row in
            BrowserSession(
                cookie: cookie,
                id: row.identifier(0),
                subject: row.identifier(1),
                authenticated: row.instant(2),
                expires: row.instant(3)
            )
        }
    }

    func remove(_ cookie: SecretDigest) throws {
        try database.change("DELETE FROM browser_sessions WHERE cookie = ?", [cookie.column])
    }

    func removeAll(of subject: Subject) throws {
        try database.change("DELETE FROM browser_sessions WHERE subject = ?", [subject.column])
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try database.change(
            """
            DELETE FROM browser_sessions WHERE rowid IN
                (SELECT rowid FROM browser_sessions WHERE expires < ? ORDER BY expires LIMIT ?)
            """,
            [instant.column, limit]
        )
    }
}
