internal import Countersign
internal import CountersignServer
internal import Foundation

/// The table `logout_notices`.
struct SQLLogoutNoticeRepository: LogoutNoticeRepository {
    private static let columns: SQLColumns = ["session", "client", "subject", "ended", "attempts", "due"]
    private static let keeping: SQLStatement = """
        INSERT INTO logout_notices (\(columns.names)) VALUES (\(columns.places))
        ON CONFLICT (session) DO UPDATE SET ended = excluded.ended, attempts = excluded.attempts
        """
    private static let dueFirst: SQLStatement =
        "SELECT \(columns.names) FROM logout_notices WHERE due <= ? ORDER BY due, session LIMIT ?"
    private static let updating: SQLStatement =
        "UPDATE logout_notices SET attempts = ?, due = ? WHERE session = ? AND ended = ?"
    private static let removing: SQLStatement = "DELETE FROM logout_notices WHERE session = ? AND ended = ?"

    let connection: any SQLConnection

    func keep(_ notice: LogoutNotice) throws {
        try connection.change(
            Self.keeping,
            [
                notice.session.column, notice.client.column, notice.subject.column, notice.ended.column,
                notice.attempts.column, notice.due.column,
            ]
        )
    }

    func due(at instant: Date, limit: Int) throws -> [LogoutNotice] {
        try connection.all(Self.dueFirst, [instant.column, limit.column]) { row in
            LogoutNotice(
                session: try row.identifier(0),
                client: try row.identifier(1),
                subject: try row.identifier(2),
                ended: try row.instant(3),
                attempts: try row.integer(4),
                due: try row.instant(5)
            )
        }
    }

    func update(_ notice: LogoutNotice) throws {
        try connection.change(
            Self.updating,
            [notice.attempts.column, notice.due.column, notice.session.column, notice.ended.column]
        )
    }

    func remove(_ notice: LogoutNotice) throws -> Bool {
        try connection.change(Self.removing, [notice.session.column, notice.ended.column]) > 0
    }
}
