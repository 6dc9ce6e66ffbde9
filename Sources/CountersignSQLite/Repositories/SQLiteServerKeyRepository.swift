internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation
internal import GRDB

/// The table `server_keys`.
struct SQLiteServerKeyRepository: ServerKeyRepository {
    let database: Database
    let news: NewsSheet?

    func insert(_ key: ServerKey) throws {
        news?.note(.serverKeys)
        try database.insert(
            "INSERT INTO server_keys (id, purpose, secret, created, activates, retired) VALUES (?, ?, ?, ?, ?, ?)",
            [
                key.id.column, key.purpose.rawValue, Data(key.secretBytes), key.created.column,
                key.activates.column, key.retired?.column,
            ]
        )
    }

    func all() throws -> [ServerKey] {
        try database.all(
            "SELECT id, purpose, secret, created, activates, retired FROM server_keys ORDER BY created, rowid"
        ) { row in
            ServerKey(
                id: row.identifier(0),
                purpose: try row.name(1),
                secretBytes: row.bytes(2),
                created: row.instant(3),
                activates: row.instant(4),
                retired: row.optionalInstant(5)
            )
        }
    }

    func update(_ key: ServerKey) throws {
        news?.note(.serverKeys)
        try database.change(
            "UPDATE server_keys SET purpose = ?, secret = ?, created = ?, activates = ?, retired = ? WHERE id = ?",
            [
                key.purpose.rawValue, Data(key.secretBytes), key.created.column, key.activates.column,
                key.retired?.column, key.id.column,
            ]
        )
    }

    func remove(_ id: JSONWebKey.ID) throws {
        news?.note(.serverKeys)
        try database.change("DELETE FROM server_keys WHERE id = ?", [id.column])
    }
}
