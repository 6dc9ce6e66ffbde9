internal import Countersign
internal import CountersignServer
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The table `client_notices`.
struct SQLClientNoticeRepository: ClientNoticeRepository {
    private static let columns: SQLColumns = [
        "kind", "name", "client", "subject", "occurred", "attempts", "due", "sealed",
        "grant_id",
    ]
    private static let keeping: SQLStatement = """
        INSERT INTO client_notices (\(columns.names)) VALUES (\(columns.places))
        ON CONFLICT (kind, name) DO UPDATE SET occurred = excluded.occurred, attempts = excluded.attempts
        """
    private static let hastening: SQLStatement =
        "UPDATE client_notices SET occurred = ?, due = ? WHERE kind = ? AND name = ? AND attempts = 0"
    private static let dueFirst: SQLStatement =
        "SELECT \(columns.names) FROM client_notices WHERE due <= ? ORDER BY due, name LIMIT ?"
    private static let dueFirstOfOthers = SQLKeyedQuery {
        """
        SELECT \(columns.names) FROM client_notices WHERE due <= ? AND client NOT IN (\($0)) ORDER BY due, name LIMIT ?
        """
    }
    private static let updating: SQLStatement = """
        UPDATE client_notices SET attempts = ?, due = ?, sealed = ?, grant_id = ?
        WHERE kind = ? AND name = ? AND occurred = ?
        """
    private static let bringingForward: SQLStatement = """
        UPDATE client_notices SET due = ?
        WHERE due > ? AND (attempts > 0 AND due > ? OR occurred > ? AND due <= occurred)
        """
    private static let removing: SQLStatement =
        "DELETE FROM client_notices WHERE kind = ? AND name = ? AND occurred = ?"

    let connection: any SQLConnection

    func keep(_ notice: ClientNotice) throws {
        try connection.write(
            Self.keeping,
            key(notice.matter) + [
                notice.client.column, notice.subject.column, notice.occurred.column, notice.attempts.column,
                notice.due.column, notice.sealed?.bytes.column, notice.grant?.column,
            ]
        )
    }

    func hasten(_ matter: ClientNotice.Matter, at instant: Date) throws {
        try connection.write(Self.hastening, [instant.column, instant.column] + key(matter))
    }

    func due(at instant: Date, exceptTo full: Set<ClientID>, limit: Int) throws -> [ClientNotice] {
        guard !full.isEmpty else {
            return try connection.all(Self.dueFirst, [instant.column, limit.column], notice)
        }
        let (statement, places) = Self.dueFirstOfOthers.statement(for: full.map(\.column))
        return try connection.all(statement, [instant.column] + places + [limit.column], notice)
    }

    func update(_ notice: ClientNotice) throws {
        try connection.write(
            Self.updating,
            [notice.attempts.column, notice.due.column, notice.sealed?.bytes.column, notice.grant?.column]
                + key(notice.matter) + [notice.occurred.column]
        )
    }

    func bringForward(to now: Date, waitingLongerThan longest: TimeInterval) throws -> Int {
        let late = now + Date.clockTolerance
        let latest = late + longest
        return try connection.change(Self.bringingForward, [now.column, late.column, latest.column, late.column])
    }

    func remove(_ notice: ClientNotice) throws -> Bool {
        try connection.change(Self.removing, key(notice.matter) + [notice.occurred.column]) > 0
    }

    /// The kinds of matters, as they are stored.
    private enum Kind: String {
        case session, request
    }

    private func key(_ matter: ClientNotice.Matter) -> [SQLValue?] {
        switch matter {
        case .sessionEnded(let session): [Kind.session.rawValue.column, session.column]
        case .requestEnded(let request): [Kind.request.rawValue.column, request.column]
        }
    }

    private func notice(in row: SQLRow) throws -> ClientNotice {
        ClientNotice(
            try matter(in: row),
            client: try row.identifier(2),
            subject: try row.identifier(3),
            occurred: try row.instant(4),
            attempts: try row.integer(5),
            due: try row.instant(6),
            sealed: row.optionalBytes(7).map { SealedAnswer(restoring: $0) },
            grant: row.optionalIdentifier(8)
        )
    }

    private func matter(in row: SQLRow) throws -> ClientNotice.Matter {
        switch Kind(rawValue: try row.text(0)) {
        case .session: .sessionEnded(try row.identifier(1))
        case .request: .requestEnded(try row.identifier(1))
        case nil: throw UnreadableRow(column: "kind of a notice")
        }
    }
}
