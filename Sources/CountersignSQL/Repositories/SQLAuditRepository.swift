internal import CountersignServer
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The table `audit`, and the table `audit_ends` with the positions of the head and of the last swept entry.
struct SQLAuditRepository: AuditRepository {
    private static let columns: SQLColumns = [
        "number", "at", "act", "actor", "subject", "client", "request_id", "address", "detail", "previous", "hash",
    ]
    private static let inserting = SQLStatement.insert(into: "audit", columns)
    private static let after: SQLStatement =
        "SELECT \(columns.names) FROM audit WHERE number > ? ORDER BY number LIMIT ?"
    private static let before: SQLStatement =
        "SELECT \(columns.names) FROM audit WHERE number < ? ORDER BY number DESC LIMIT ?"
    private static let removing: SQLStatement = "DELETE FROM audit WHERE number <= ?"
    private static let end: SQLStatement = "SELECT number, hash FROM audit_ends WHERE name = ?"
    private static let movingEnd = SQLStatement.upsert(into: "audit_ends", ["name", "number", "hash"], key: ["name"])

    let connection: any SQLConnection

    func head() throws -> AuditPosition { try place("head") }

    func anchor() throws -> AuditPosition { try place("anchor") }

    func append(_ entry: AuditEntry) throws {
        let facts = entry.facts
        try connection.insert(
            Self.inserting,
            [
                entry.number.column, facts.at.column, facts.act.column, facts.by.column, facts.subject?.column,
                facts.client?.column, facts.request?.column, facts.address?.column, facts.detail?.column,
                entry.previous.bytes.column, entry.hash.bytes.column,
            ]
        )
        try put(entry.place, as: "head")
    }

    func entries(after number: Int, limit: Int) throws -> [AuditEntry] {
        try connection.all(Self.after, [number.column, limit.column], entry)
    }

    func entries(before number: Int, limit: Int) throws -> [AuditEntry] {
        try connection.all(Self.before, [number.column, limit.column], entry)
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        let oldest = try entries(after: 0, limit: limit)
        guard let last = oldest.prefix(while: { $0.facts.at < instant }).last else { return 0 }
        try put(last.place, as: "anchor")
        return try connection.change(Self.removing, [last.number.column])
    }

    private func place(_ name: String) throws -> AuditPosition {
        try connection.first(Self.end, [name.column]) { row in
            AuditPosition(number: try row.integer(0), hash: AuditHash(restoring: try row.bytes(1)))
        } ?? .beginning
    }

    private func put(_ place: AuditPosition, as name: String) throws {
        try connection.write(Self.movingEnd, [name.column, place.number.column, place.hash.bytes.column])
    }

    private func entry(in row: SQLRow) throws -> AuditEntry {
        let number = try row.integer(0)
        do {
            return AuditEntry(
                restoring: number,
                try facts(in: row),
                previous: AuditHash(restoring: try row.bytes(9)),
                hash: AuditHash(restoring: try row.bytes(10))
            )
        } catch is UnreadableRow {
            throw AuditBroken.unreadable(number)
        }
    }

    private func facts(in row: SQLRow) throws -> AuditEntry.Facts {
        AuditEntry.Facts(
            at: try row.instant(1),
            try row.identifier(2),
            by: try row.name(3),
            subject: row.optionalIdentifier(4),
            client: row.optionalIdentifier(5),
            request: row.optionalIdentifier(6),
            address: row.optionalText(7),
            detail: row.optionalText(8)
        )
    }
}
