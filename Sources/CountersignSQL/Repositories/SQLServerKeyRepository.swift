internal import Countersign
internal import CountersignStorage
internal import CountersignWire

/// The table `server_keys`.
struct SQLServerKeyRepository: ServerKeyRepository, SQLTable {
    static let table: SQLText = "server_keys"
    static let columns: SQLColumns = ["id", "purpose", "secret", "created", "activates", "retired"]
    static let usual = SQLStatements(of: Self.self, key: ["id"])
    private static let everything = selection(orderedBy: "created, \(.arrival)")

    let connection: any SQLConnection
    let change: ChangeCollector?

    static func values(of key: ServerKey) -> [SQLValue?] {
        [
            key.id.column, key.purpose.column, key.secretBytes.column, key.created.column, key.activates.column,
            key.retired?.column,
        ]
    }

    static func record(in row: SQLRow) throws -> ServerKey {
        try ServerKey(
            id: row[0], purpose: row[1], secretBytes: row[2], created: row[3], activates: row[4], retired: row[5])
    }

    func insert(_ key: ServerKey) throws {
        change?.add(.serverKeys)
        try insertRow(key)
    }

    func all() throws -> [ServerKey] { try all(Self.everything) }

    func update(_ key: ServerKey) throws {
        change?.add(.serverKeys)
        try write(key, by: Self.usual.update, key: key.id.column)
    }

    func remove(_ id: JSONWebKey.ID) throws {
        change?.add(.serverKeys)
        try write(Self.usual.remove, id.column)
    }
}
