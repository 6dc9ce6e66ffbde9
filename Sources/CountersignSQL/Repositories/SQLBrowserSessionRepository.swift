internal import Countersign
internal import CountersignServer
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The table `browser_sessions`.
struct SQLBrowserSessionRepository: BrowserSessionRepository {
    private static let columns: SQLColumns = ["cookie", "id", "subject", "authenticated", "authentication", "expires"]
    private static let inserting = SQLStatement.insert(into: "browser_sessions", columns)
    private static let byCookie: SQLStatement = "SELECT \(columns.names) FROM browser_sessions WHERE cookie = ?"
    private static let removing: SQLStatement = "DELETE FROM browser_sessions WHERE cookie = ?"
    private static let removingOfSubject: SQLStatement = "DELETE FROM browser_sessions WHERE subject = ?"
    private static let sweeping = SQLStatement.sweep("browser_sessions", by: "expires")

    let connection: any SQLConnection

    func insert(_ session: BrowserSession) throws {
        try connection.insert(
            Self.inserting,
            [
                session.cookie.column, session.id.column, session.subject.column,
                session.authenticated.column, try .document(session.authentication), session.expires.column,
            ]
        )
    }

    func find(_ cookie: SecretDigest) throws -> BrowserSession? {
        try connection.first(Self.byCookie, [cookie.column]) { row in
            BrowserSession(
                cookie: cookie,
                id: try row.identifier(1),
                subject: try row.identifier(2),
                authenticated: try row.instant(3),
                expires: try row.instant(5),
                by: try row.document(4)
            )
        }
    }

    func remove(_ cookie: SecretDigest) throws {
        try connection.write(Self.removing, [cookie.column])
    }

    func removeAll(of subject: Subject) throws {
        try connection.write(Self.removingOfSubject, [subject.column])
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(Self.sweeping, [instant.column, limit.column])
    }
}
