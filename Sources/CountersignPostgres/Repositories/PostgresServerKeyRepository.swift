#if PostgreSQL
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// The table `server_keys`.
struct PostgresServerKeyRepository: ServerKeyRepository {
    let connection: Connection
    let news: NewsSheet?

    func insert(_ key: ServerKey) throws {
        news?.note(.serverKeys)
        try connection.insert(
            """
            INSERT INTO server_keys (id, purpose, secret, created, activates, retired)
            VALUES (\(places(6))) ON CONFLICT DO NOTHING
            """,
            [
                key.id.column, key.purpose.rawValue, key.secretBytes, key.created.column,
                key.activates.column, key.retired?.column,
            ]
        )
    }

    func all() throws -> [ServerKey] {
        try connection.all(
            "SELECT id, purpose, secret, created, activates, retired FROM server_keys ORDER BY created, arrival"
        ) { row in
            ServerKey(
                id: try row.identifier(0),
                purpose: try row.name(1),
                secretBytes: try row.bytes(2),
                created: try row.instant(3),
                activates: try row.instant(4),
                retired: try row.optionalInstant(5)
            )
        }
    }

    func update(_ key: ServerKey) throws {
        news?.note(.serverKeys)
        try connection.change(
            """
            UPDATE server_keys SET purpose = $1, secret = $2, created = $3, activates = $4, retired = $5
            WHERE id = $6
            """,
            [
                key.purpose.rawValue, key.secretBytes, key.created.column, key.activates.column,
                key.retired?.column, key.id.column,
            ]
        )
    }

    func remove(_ id: JSONWebKey.ID) throws {
        news?.note(.serverKeys)
        try connection.change("DELETE FROM server_keys WHERE id = $1", [id.column])
    }
}
#endif
