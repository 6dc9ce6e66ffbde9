internal import Countersign
internal import CountersignServer

/// The table `mutes`.
struct SQLMuteRepository: MuteRepository {
    private static let columns: SQLColumns = ["subject", "client", "cause", "since"]
    private static let keeping = SQLStatement.upsert(into: "mutes", columns, key: ["subject", "client"])
    private static let one: SQLStatement = "SELECT \(columns.names) FROM mutes WHERE subject = ? AND client = ?"
    private static let ofSubject: SQLStatement = """
        SELECT \(columns.names) FROM mutes WHERE subject = ? ORDER BY since DESC, client DESC LIMIT 1000
        """
    private static let removing: SQLStatement = "DELETE FROM mutes WHERE subject = ? AND client = ?"
    private static let removingOfSubject: SQLStatement = "DELETE FROM mutes WHERE subject = ?"
    static let removingOfClient: SQLStatement = "DELETE FROM mutes WHERE client = ?"

    let connection: any SQLConnection

    func keep(_ mute: Mute) throws {
        try connection.write(
            Self.keeping,
            [mute.subject.column, mute.client.column, mute.cause.column, mute.since.column]
        )
    }

    func find(_ subject: Subject, _ client: ClientID) throws -> Mute? {
        try connection.first(Self.one, [subject.column, client.column], mute)
    }

    func all(of subject: Subject) throws -> [Mute] {
        try connection.all(Self.ofSubject, [subject.column], mute)
    }

    func remove(_ subject: Subject, _ client: ClientID) throws -> Bool {
        try connection.change(Self.removing, [subject.column, client.column]) > 0
    }

    func removeAll(of subject: Subject) throws {
        try connection.write(Self.removingOfSubject, [subject.column])
    }

    private func mute(in row: SQLRow) throws -> Mute {
        Mute(
            subject: try row.identifier(0),
            client: try row.identifier(1),
            cause: try row.name(2),
            since: try row.instant(3)
        )
    }
}
