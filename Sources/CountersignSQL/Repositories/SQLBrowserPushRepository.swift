internal import Countersign
internal import CountersignStorage
internal import CountersignWire

/// The table `browser_pushes`.
struct SQLBrowserPushRepository: BrowserPushRepository, SQLTable, SQLExpiringTable {
    static let table: SQLText = "browser_pushes"
    static let columns: SQLColumns = ["session", "subject", "subscription", "language", "added", "expires"]
    static let usual = SQLStatements(of: Self.self, key: ["session"])
    private static let ofSubject = selection("subject = ? ORDER BY added, session LIMIT 100")
    private static let removingOfSubject = removal("subject = ?")
    static let sweeping = sweep(by: "expires")

    let connection: any SQLConnection

    static func values(of push: BrowserPush) throws -> [SQLValue?] {
        [
            push.session.column, push.subject.column, try .document(push.subscription), push.language.column,
            push.added.column, push.expires.column,
        ]
    }

    static func record(in row: SQLRow) throws -> BrowserPush {
        try BrowserPush(
            session: row[0], subject: row[1], subscription: row.document(2), language: row[3], added: row[4],
            expires: row[5])
    }

    func find(_ session: ApproverID) throws -> BrowserPush? { try first(Self.usual.find, session.column) }
    func all(of subject: Subject) throws -> [BrowserPush] { try all(Self.ofSubject, subject.column) }
    func remove(_ session: ApproverID) throws -> Bool { try runs(Self.usual.remove, session.column) }
    func removeAll(of subject: Subject) throws { try write(Self.removingOfSubject, subject.column) }
}
