internal import CountersignStorage
internal import FoundationEssentialsCompat

/// The table `audit`, and the table `audit_ends` with the positions of the head and of the last swept entry.
struct SQLAuditRepository: AuditRepository, SQLTable {
    static let table: SQLText = "audit"
    static let columns: SQLColumns = [
        "number", "at", "act", "actor", "subject", "client", "request_id", "address", "detail", "previous", "hash",
    ]
    static let usual = SQLStatements(of: Self.self, key: ["number"])
    private static let after = selection("number > ? ORDER BY number LIMIT ?")
    private static let before = selection("number < ? ORDER BY number DESC LIMIT ?")
    private static let aboutRequest = selection("request_id = ? ORDER BY number LIMIT ?")
    private static let aboutRequestsOf = selection(
        "subject = ? AND request_id IS NOT NULL ORDER BY number DESC LIMIT ?")
    private static let aboutSubject = selection("subject = ? AND number < ? ORDER BY number DESC LIMIT ?")
    private static let requests: SQLStatement = """
        SELECT DISTINCT request_id FROM audit WHERE request_id >= ? AND request_id < ? ORDER BY request_id LIMIT ?
        """
    private static let removing = removal("number <= ?")
    private static let end: SQLStatement = "SELECT number, hash FROM audit_ends WHERE name = ?"
    private static let movingEnd = SQLStatement.upsert(into: "audit_ends", ["name", "number", "hash"], key: ["name"])

    let connection: any SQLConnection

    static func values(of entry: AuditEntry) -> [SQLValue?] {
        let facts = entry.facts
        return [
            entry.number.column, facts.at.column, facts.act.column, facts.by.column, facts.subject?.column,
            facts.client?.column, facts.request?.column, facts.address?.column, facts.detail?.column,
            entry.previous.bytes.column, entry.hash.bytes.column,
        ]
    }

    static func record(in row: SQLRow) throws -> AuditEntry {
        let number = try row.integer(0)
        do {
            let facts = try AuditEntry.Facts(
                at: row[1], row[2], by: row[3], subject: row[4], client: row[5], request: row[6], address: row[7],
                detail: row[8])
            return try AuditEntry(
                restoring: number, facts, previous: AuditHash(restoring: row[9]), hash: AuditHash(restoring: row[10]))
        } catch is RowDecodingError {
            throw AuditError.unreadable(number)
        }
    }

    func head() throws -> AuditPosition { try place("head") }
    func anchor() throws -> AuditPosition { try place("anchor") }

    func append(_ entry: AuditEntry) throws {
        try insertRow(entry)
        try put(entry.place, as: "head")
    }

    func entries(after number: Int, limit: Int) throws -> [AuditEntry] {
        try all(Self.after, number.column, limit.column)
    }

    func entries(before number: Int, limit: Int) throws -> [AuditEntry] {
        try all(Self.before, number.column, limit.column)
    }

    func entries(about request: SignInRequest.ID, limit: Int) throws -> [AuditEntry] {
        try all(Self.aboutRequest, request.column, limit.column)
    }

    func entries(aboutRequestsOf subject: Subject, limit: Int) throws -> [AuditEntry] {
        try all(Self.aboutRequestsOf, subject.column, limit.column)
    }

    func entries(about subject: Subject, before number: Int, limit: Int) throws -> [AuditEntry] {
        try all(Self.aboutSubject, subject.column, number.column, limit.column)
    }

    func requests(beginningWith prefix: String, limit: Int) throws -> [SignInRequest.ID] {
        try connection.all(Self.requests, [prefix.column, prefix.endOfPrefix.column, limit.column]) { try $0[0] }
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        let oldest = try entries(after: 0, limit: limit)
        guard let last = oldest.prefix(while: { $0.facts.at < instant }).last else { return 0 }
        try put(last.place, as: "anchor")
        return try run(Self.removing, last.number.column)
    }

    private func place(_ name: String) throws -> AuditPosition {
        try connection.first(Self.end, [name.column]) { row in
            try AuditPosition(number: row[0], hash: AuditHash(restoring: row[1]))
        } ?? .beginning
    }

    private func put(_ place: AuditPosition, as name: String) throws {
        try write(Self.movingEnd, name.column, place.number.column, place.hash.bytes.column)
    }
}
