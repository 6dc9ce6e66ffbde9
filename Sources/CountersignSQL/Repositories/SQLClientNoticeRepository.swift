internal import Countersign
internal import CountersignStorage
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The table `client_notices`.
struct SQLClientNoticeRepository: ClientNoticeRepository, SQLTable {
    static let table: SQLText = "client_notices"
    static let columns: SQLColumns = [
        "kind", "name", "client", "subject", "occurred", "attempts", "due", "sealed", "grant_id",
    ]
    static let usual = SQLStatements(of: Self.self, key: ["kind", "name"])
    private static let keeping: SQLStatement = """
        INSERT INTO client_notices (\(columns.names)) VALUES (\(columns.places))
        ON CONFLICT (kind, name) DO UPDATE SET occurred = excluded.occurred, attempts = excluded.attempts
        """
    private static let hastening: SQLStatement =
        "UPDATE client_notices SET occurred = ?, due = ? WHERE kind = ? AND name = ? AND attempts = 0"
    private static let dueFirst = selection("due <= ? ORDER BY due, name LIMIT ?")
    private static let dueFirstOfOthers = SQLKeyedQuery {
        """
        SELECT \(columns.names) FROM client_notices WHERE due <= ? AND client NOT IN (\($0)) ORDER BY due, name LIMIT ?
        """
    }
    private static let updating = update(
        ["attempts", "due", "sealed", "grant_id"], where: "kind = ? AND name = ? AND occurred = ?")
    private static let bringingForward: SQLStatement = """
        UPDATE client_notices SET due = ?
        WHERE due > ? AND (attempts > 0 AND due > ? OR occurred > ? AND due <= occurred)
        """
    private static let removing = removal("kind = ? AND name = ? AND occurred = ?")

    let connection: any SQLConnection

    static func values(of notice: ClientNotice) -> [SQLValue?] {
        key(notice.matter) + [
            notice.client.column, notice.subject.column, notice.occurred.column, notice.attempts.column,
            notice.due.column, notice.sealed?.bytes.column, notice.grant?.column,
        ]
    }

    static func record(in row: SQLRow) throws -> ClientNotice {
        try ClientNotice(
            matter(in: row), client: row[2], subject: row[3], occurred: row[4], attempts: row[5], due: row[6],
            sealed: row.optionalBytes(7).map { SealedAnswer(restoring: $0) }, grant: row[8])
    }

    func keep(_ notice: ClientNotice) throws { try write(notice, by: Self.keeping) }

    func hasten(_ matter: ClientNotice.Matter, at instant: Date) throws {
        try connection.write(Self.hastening, [instant.column, instant.column] + Self.key(matter))
    }

    func due(at instant: Date, exceptTo full: Set<ClientID>, limit: Int) throws -> [ClientNotice] {
        guard !full.isEmpty else { return try all(Self.dueFirst, instant.column, limit.column) }
        let (statement, places) = Self.dueFirstOfOthers.statement(for: full.map(\.column))
        return try connection.all(statement, [instant.column] + places + [limit.column], Self.record)
    }

    func update(_ notice: ClientNotice) throws {
        try connection.write(
            Self.updating,
            [notice.attempts.column, notice.due.column, notice.sealed?.bytes.column, notice.grant?.column]
                + Self.key(notice.matter) + [notice.occurred.column]
        )
    }

    func bringForward(to now: Date, waitingLongerThan longest: TimeInterval) throws -> Int {
        let late = now + Date.clockTolerance
        return try run(Self.bringingForward, now.column, late.column, (late + longest).column, late.column)
    }

    func remove(_ notice: ClientNotice) throws -> Bool {
        try connection.change(Self.removing, Self.key(notice.matter) + [notice.occurred.column]) > 0
    }

    /// The kinds of matters, as they are stored.
    private enum Kind: String, SQLColumnValue {
        case session, request
    }

    private static func key(_ matter: ClientNotice.Matter) -> [SQLValue?] {
        switch matter {
        case .sessionEnded(let session): [Kind.session.column, session.column]
        case .requestEnded(let request): [Kind.request.column, request.column]
        }
    }

    private static func matter(in row: SQLRow) throws -> ClientNotice.Matter {
        switch try row[0] as Kind {
        case .session: try .sessionEnded(row[1])
        case .request: try .requestEnded(row[1])
        }
    }
}
