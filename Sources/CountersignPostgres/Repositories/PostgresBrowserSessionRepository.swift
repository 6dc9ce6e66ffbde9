#if PostgreSQL
internal import Countersign
internal import CountersignServer
internal import Foundation

/// The table `browser_sessions`.
struct PostgresBrowserSessionRepository: BrowserSessionRepository {
    let connection: Connection

    func insert(_ session: BrowserSession) throws {
        try connection.insert(
            """
            INSERT INTO browser_sessions (cookie, id, subject, authenticated, expires)
            VALUES (\(places(5))) ON CONFLICT DO NOTHING
            """,
            [
                session.cookie.column, session.id.column, session.subject.column,
                session.authenticated.column, session.expires.column,
            ]
        )
    }

    func find(_ cookie: SecretDigest) throws -> BrowserSession? {
        try connection.first(
            "SELECT id, subject, authenticated, expires FROM browser_sessions WHERE cookie = $1",
            [cookie.column]
        ) { row in
            BrowserSession(
                cookie: cookie,
                id: try row.identifier(0),
                subject: try row.identifier(1),
                authenticated: try row.instant(2),
                expires: try row.instant(3)
            )
        }
    }

    func remove(_ cookie: SecretDigest) throws {
        try connection.change("DELETE FROM browser_sessions WHERE cookie = $1", [cookie.column])
    }

    func removeAll(of subject: Subject) throws {
        try connection.change("DELETE FROM browser_sessions WHERE subject = $1", [subject.column])
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(
            """
            DELETE FROM browser_sessions WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM browser_sessions WHERE expires < $1 ORDER BY expires LIMIT $2))
            """,
            [instant.column, limit]
        )
    }
}
#endif
