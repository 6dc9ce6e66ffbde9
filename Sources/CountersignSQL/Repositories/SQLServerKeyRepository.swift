internal import Countersign
internal import CountersignServer
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The table `server_keys`.
struct SQLServerKeyRepository: ServerKeyRepository {
    private static let columns: SQLColumns = ["id", "purpose", "secret", "created", "activates", "retired"]
    private static let inserting = SQLStatement.insert(into: "server_keys", columns)
    private static let all: SQLStatement =
        "SELECT \(columns.names) FROM server_keys ORDER BY created, \(.arrival)"
    private static let updating: SQLStatement =
        "UPDATE server_keys SET (\(columns.names)) = (\(columns.places)) WHERE id = ?"
    private static let removing: SQLStatement = "DELETE FROM server_keys WHERE id = ?"

    let connection: any SQLConnection
    let change: ChangeCollector?

    func insert(_ key: ServerKey) throws {
        change?.add(.serverKeys)
        try connection.insert(Self.inserting, values(of: key))
    }

    func all() throws -> [ServerKey] {
        try connection.all(Self.all) { row in
            ServerKey(
                id: try row.identifier(0),
                purpose: try row.name(1),
                secretBytes: try row.bytes(2),
                created: try row.instant(3),
                activates: try row.instant(4),
                retired: row.optionalInstant(5)
            )
        }
    }

    func update(_ key: ServerKey) throws {
        change?.add(.serverKeys)
        try connection.write(Self.updating, values(of: key) + [key.id.column])
    }

    func remove(_ id: JSONWebKey.ID) throws {
        change?.add(.serverKeys)
        try connection.write(Self.removing, [id.column])
    }

    private func values(of key: ServerKey) -> [SQLValue?] {
        [
            key.id.column, key.purpose.column, key.secretBytes.column, key.created.column, key.activates.column,
            key.retired?.column,
        ]
    }
}
