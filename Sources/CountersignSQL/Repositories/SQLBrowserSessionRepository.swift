internal import Countersign
internal import CountersignStorage
internal import FoundationEssentialsCompat

/// The table `browser_sessions`.
struct SQLBrowserSessionRepository: BrowserSessionRepository, SQLTable, SQLExpiringTable {
    static let table: SQLText = "browser_sessions"
    static let columns: SQLColumns = [
        "cookie", "id", "subject", "authenticated", "authentication", "expires", "opening", "browser", "address",
        "last_used",
    ]
    static let usual = SQLStatements(of: Self.self, key: ["cookie"])
    private static let opened = selection(
        "subject = ? AND opening IS NOT NULL ORDER BY expires DESC, cookie LIMIT 1000")
    private static let ofSubject = selection("subject = ? ORDER BY expires DESC, cookie LIMIT 1000")
    private static let live = selection("expires > ? ORDER BY expires DESC, id DESC LIMIT ?")
    private static let liveAfter = selection(
        "expires > ? AND (expires, id) < (?, ?) ORDER BY expires DESC, id DESC LIMIT ?")
    private static let updating = update(["last_used"], where: "cookie = ?")
    private static let removingOfSubject = removal("subject = ?")
    static let sweeping = sweep(by: "expires")

    let connection: any SQLConnection

    static func values(of session: BrowserSession) throws -> [SQLValue?] {
        [
            session.cookie.column, session.id.column, session.subject.column,
            session.authenticated.column, try .document(session.authentication), session.expires.column,
            try session.opening.map { try .document($0) }, session.browser.name?.column,
            session.browser.address?.column, session.lastUsed.column,
        ]
    }

    static func record(in row: SQLRow) throws -> BrowserSession {
        try BrowserSession(
            cookie: row[0], id: row[1], subject: row[2], authenticated: row[3], expires: row[5], by: row.document(4),
            opening: row.isNull(6) ? nil : row.document(6), at: BrowserDetails(name: row[7], address: row[8]),
            lastUsed: row[9])
    }

    func find(_ cookie: SecretDigest) throws -> BrowserSession? { try first(Self.usual.find, cookie.column) }
    func opened(for subject: Subject) throws -> [BrowserSession] { try all(Self.opened, subject.column) }
    func all(of subject: Subject) throws -> [BrowserSession] { try all(Self.ofSubject, subject.column) }
    func live(at instant: Date, after last: BrowserSession.Position?, limit: Int) throws -> [BrowserSession] {
        guard let last else { return try all(Self.live, instant.column, limit.column) }
        return try all(Self.liveAfter, instant.column, last.expires.column, last.id.column, limit.column)
    }
    func update(_ session: BrowserSession) throws {
        try write(Self.updating, session.lastUsed.column, session.cookie.column)
    }
    func remove(_ cookie: SecretDigest) throws { try write(Self.usual.remove, cookie.column) }
    func removeAll(of subject: Subject) throws { try write(Self.removingOfSubject, subject.column) }
}
