#if PostgreSQL
internal import CountersignServer
internal import Foundation

/// The table `audit`, and `audit_ends` with the places of its head and of what was swept.
struct PostgresAuditRepository: AuditRepository {
    private static let columns = "number, at, act, actor, subject, client, request_id, address, detail, previous, hash"

    let connection: Connection

    func head() throws -> AuditPlace { try place("head") }

    func anchor() throws -> AuditPlace { try place("anchor") }

    func append(_ entry: AuditEntry) throws {
        let facts = entry.facts
        try connection.insert(
            "INSERT INTO audit (\(Self.columns)) VALUES (\(places(11))) ON CONFLICT DO NOTHING",
            [
                entry.number, facts.at.column, facts.act.column, facts.by.rawValue, facts.subject?.column,
                facts.client?.column, facts.request?.column, facts.address?.column, facts.detail?.column,
                entry.previous.bytes, entry.hash.bytes,
            ]
        )
        try put(entry.place, as: "head")
    }

    func entries(after number: Int, limit: Int) throws -> [AuditEntry] {
        try connection.all(
            "SELECT \(Self.columns) FROM audit WHERE number > $1 ORDER BY number LIMIT $2",
            [number, limit],
            entry
        )
    }

    func entries(before number: Int, limit: Int) throws -> [AuditEntry] {
        try connection.all(
            "SELECT \(Self.columns) FROM audit WHERE number < $1 ORDER BY number DESC LIMIT $2",
            [number, limit],
            entry
        )
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        let oldest = try entries(after: 0, limit: limit)
        guard let last = oldest.prefix(while: { $0.facts.at < instant }).last else { return 0 }
        try put(last.place, as: "anchor")
        return try connection.change("DELETE FROM audit WHERE number <= $1", [last.number])
    }

    private func place(_ name: String) throws -> AuditPlace {
        try connection.first("SELECT number, hash FROM audit_ends WHERE name = $1", [name]) { row in
            AuditPlace(number: try row.whole(0), hash: AuditHash(restoring: try row.bytes(1)))
        } ?? .beginning
    }

    private func put(_ place: AuditPlace, as name: String) throws {
        try connection.change(
            """
            INSERT INTO audit_ends (name, number, hash) VALUES ($1, $2, $3)
            ON CONFLICT (name) DO UPDATE SET number = excluded.number, hash = excluded.hash
            """,
            [name, place.number, place.hash.bytes]
        )
    }

    private func entry(in row: Row) throws -> AuditEntry {
        let facts = AuditEntry.Facts(
            at: try row.instant(1),
            try row.identifier(2),
            by: try row.name(3),
            subject: row.optionalIdentifier(4),
            client: row.optionalIdentifier(5),
            request: row.optionalIdentifier(6),
            address: row.optionalText(7),
            detail: row.optionalText(8)
        )
        return AuditEntry(
            restoring: try row.whole(0),
            facts,
            previous: AuditHash(restoring: try row.bytes(9)),
            hash: AuditHash(restoring: try row.bytes(10))
        )
    }
}
#endif
