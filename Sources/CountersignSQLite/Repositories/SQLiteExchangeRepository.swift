internal import Countersign
internal import CountersignServer
internal import Foundation
internal import GRDB

/// The table `exchanges`.
struct SQLiteExchangeRepository: ExchangeRepository {
    private static let columns = "device_code, user_code, poll_interval, document"

    let database: Database

    func insert(_ exchange: StoredExchange) throws {
        try database.insert(
            """
            INSERT INTO exchanges
                (id, device_code, user_code, poll_interval, phase, deadline, approved_for, approved, document)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                exchange.id.rawValue, exchange.deviceCode.column, exchange.userCode.column, exchange.interval,
                exchange.exchange.phase.rawValue, exchange.exchange.request.deadline.column,
                exchange.exchange.grant?.subject.rawValue, exchange.exchange.grant?.approved.column,
                try documentText(ExchangeDocument(exchange.exchange)),
            ]
        )
    }

    func find(_ deviceCode: SecretDigest) throws -> StoredExchange? {
        try first("device_code = ?", deviceCode.column)
    }

    func find(_ userCode: UserCodeDigest) throws -> StoredExchange? {
        try first("user_code = ?", userCode.column)
    }

    func find(_ id: SignInRequest.ID) throws -> StoredExchange? {
        try first("id = ?", id.rawValue)
    }

    func update(_ exchange: StoredExchange) throws {
        try database.change(
            """
            UPDATE exchanges
            SET poll_interval = ?, phase = ?, approved_for = ?, approved = ?, document = ?
            WHERE id = ?
            """,
            [
                exchange.interval, exchange.exchange.phase.rawValue,
                exchange.exchange.grant?.subject.rawValue, exchange.exchange.grant?.approved.column,
                try documentText(ExchangeDocument(exchange.exchange)),
                exchange.id.rawValue,
            ]
        )
    }

    func approved(by subject: Subject) throws -> [StoredExchange] {
        try database.all(
            """
            SELECT \(Self.columns) FROM exchanges WHERE phase = 'approved' AND approved_for = ?
            ORDER BY approved DESC, rowid DESC LIMIT 100
            """,
            [subject.rawValue]
        )
        .map(exchange)
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try database.change(
            """
            DELETE FROM exchanges WHERE rowid IN
                (SELECT rowid FROM exchanges WHERE deadline < ? ORDER BY deadline LIMIT ?)
            """,
            [instant.column, limit]
        )
    }

    private func first(_ condition: String, _ key: any DatabaseValueConvertible) throws -> StoredExchange? {
        try database.first("SELECT \(Self.columns) FROM exchanges WHERE \(condition)", [key]).map(exchange)
    }

    private func exchange(in row: Row) throws -> StoredExchange {
        guard let exchange = try row.document(3, as: ExchangeDocument.self).exchange else {
            throw UnreadableRow(table: "exchanges")
        }
        return StoredExchange(
            exchange: exchange,
            deviceCode: row.digest(0),
            userCode: UserCodeDigest(restoring: row.bytes(1)),
            interval: row[2]
        )
    }
}
