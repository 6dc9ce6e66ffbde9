internal import Countersign
internal import CountersignStorage

/// The table `mutes`.
struct SQLMuteRepository: MuteRepository, SQLTable {
    static let table: SQLText = "mutes"
    static let columns: SQLColumns = ["subject", "client", "cause", "since"]
    static let usual = SQLStatements(of: Self.self, key: ["subject", "client"])
    private static let ofSubject = selection("subject = ? ORDER BY since DESC, client DESC LIMIT 1000")
    private static let everything = selection(orderedBy: "since DESC, client DESC, subject")
    private static let removingOfSubject = removal("subject = ?")
    static let removingOfClient = removal("client = ?")

    let connection: any SQLConnection

    static func values(of mute: Mute) -> [SQLValue?] {
        [mute.subject.column, mute.client.column, mute.cause.column, mute.since.column]
    }

    static func record(in row: SQLRow) throws -> Mute {
        try Mute(subject: row[0], client: row[1], cause: row[2], since: row[3])
    }

    func find(_ subject: Subject, _ client: ClientID) throws -> Mute? {
        try first(Self.usual.find, subject.column, client.column)
    }

    func all(of subject: Subject) throws -> [Mute] { try all(Self.ofSubject, subject.column) }

    func all() throws -> [Mute] { try all(Self.everything) }

    func remove(_ subject: Subject, _ client: ClientID) throws -> Bool {
        try runs(Self.usual.remove, subject.column, client.column)
    }

    func removeAll(of subject: Subject) throws { try write(Self.removingOfSubject, subject.column) }
}
