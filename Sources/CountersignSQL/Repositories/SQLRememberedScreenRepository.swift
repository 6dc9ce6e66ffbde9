internal import Countersign
internal import CountersignStorage
internal import FoundationEssentialsCompat

/// The table `remembered_screens`.
struct SQLRememberedScreenRepository: RememberedScreenRepository, SQLTable, SQLExpiringTable {
    static let table: SQLText = "remembered_screens"
    static let columns: SQLColumns = ["id", "subject", "client", "name", "since", "last_used"]
    static let usual = SQLStatements(of: Self.self, key: ["id"])
    private static let lastUsedFirst: SQLText = "ORDER BY last_used DESC, id DESC LIMIT 1000"
    private static let ofSubject = selection("subject = ? \(lastUsedFirst)")
    private static let ofSubjectAndClient = selection("subject = ? AND client = ? \(lastUsedFirst)")
    static let removingOfClient = removal("client = ?")
    static let sweeping = sweep(by: "last_used")

    let connection: any SQLConnection

    static func values(of screen: RememberedScreen) -> [SQLValue?] {
        [
            screen.id.column, screen.subject.column, screen.client.column, screen.name?.column,
            screen.since.column, screen.lastUsed.column,
        ]
    }

    static func record(in row: SQLRow) throws -> RememberedScreen {
        try RememberedScreen(
            id: row[0], subject: row[1], client: row[2], name: row[3], since: row[4], lastUsed: row[5])
    }

    func find(_ id: RememberedScreenID) throws -> RememberedScreen? { try first(Self.usual.find, id.column) }

    func all(of subject: Subject) throws -> [RememberedScreen] { try all(Self.ofSubject, subject.column) }

    func all(of subject: Subject, at client: ClientID) throws -> [RememberedScreen] {
        try all(Self.ofSubjectAndClient, subject.column, client.column)
    }

    func remove(_ id: RememberedScreenID) throws { try write(Self.usual.remove, id.column) }
}
