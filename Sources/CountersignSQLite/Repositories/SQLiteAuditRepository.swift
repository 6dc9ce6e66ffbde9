internal import CountersignServer
internal import Foundation
internal import GRDB

/// The table `audit`, and `audit_ends` with the places of its head and of what was swept.
struct SQLiteAuditRepository: AuditRepository {
    private static let columns = "number, at, act, actor, subject, client, request_id, address, detail, previous, hash"

    let database: Database

    func head() throws -> AuditPlace { try place("head") }

    func anchor() throws -> AuditPlace { try place("anchor") }

    func append(_ entry: AuditEntry) throws {
        let facts = entry.facts
        try database.insert(
            "INSERT INTO audit (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                entry.number, facts.at.column, facts.act.column, facts.by.rawValue, facts.subject?.column,
                facts.client?.column, facts.request?.column, facts.address?.column, facts.detail?.column,
                entry.previous.bytes, entry.hash.bytes,
            ]
        )
        try put(entry.place, as: "head")
    }

    func entries(after number: Int, limit: Int) throws -> [AuditEntry] {
        try database.all(
            "SELECT \(Self.columns) FROM audit WHERE number > ? ORDER BY number LIMIT ?",
            [number, limit],
            entry
        )
    }

    func entries(before number: Int, limit: Int) throws -> [AuditEntry] {
        try database.all(
            "SELECT \(Self.columns) FROM audit WHERE number < ? ORDER BY number DESC LIMIT ?",
            [number, limit],
            entry
        )
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        let oldest = try entries(after: 0, limit: limit)
        guard let last = oldest.prefix(while: { $0.facts.at < instant }).last else { return 0 }
        try put(last.place, as: "anchor")
        return try database.change("DELETE FROM audit WHERE number <= ?", [last.number])
    }

    private func place(_ name: String) throws -> AuditPlace {
        try database.first("SELECT number, hash FROM audit_ends WHERE name = ?", [name]) { row in
            AuditPlace(number: row[0], hash: AuditHash(restoring: row.bytes(1)))
        } ?? .beginning
    }

    private func put(_ place: AuditPlace, as name: String) throws {
        try database.change(
            """
            INSERT INTO audit_ends (name, number, hash) VALUES (?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET number = excluded.number, hash = excluded.hash
            """,
            [name, place.number, place.hash.bytes]
        )
    }

    private func entry(in row: Row) throws -> AuditEntry {
        let facts = AuditEntry.Facts(
            at: row.instant(1),
            row.identifier(2),
            by: try row.name(3),
            subject: row.optionalIdentifier(4),
            client: row.optionalIdentifier(5),
            request: row.optionalIdentifier(6),
            address: row[7],
            detail: row[8]
        )
        return AuditEntry(
            restoring: row[0],
            facts,
            previous: AuditHash(restoring: row.bytes(9)),
            hash: AuditHash(restoring: row.bytes(10))
        )
    }
}
