internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation
internal import GRDB

/// The table `clients`.
struct SQLiteClientRepository: ClientRepository {
    private static let columns = """
        id, name, secret, grant_types, scope, token_format, audience, serves, code_lifetime, access_token_lifetime, \
        refresh_token_lifetime, created, software_id, software_version, expires, old_secret, old_secret_ends
        """
    private static let byID = "SELECT \(columns) FROM clients WHERE id = ?"

    let database: Database
    let news: NewsSheet?

    func insert(_ client: Client) throws {
        try database.insert(
            "INSERT INTO clients (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            try columns(of: client)
        )
    }

    func find(_ id: ClientID) throws -> Client? {
        try database.first(Self.byID, [id.column], client)
    }

    func all() throws -> [Client] {
        try database.all("SELECT \(Self.columns) FROM clients WHERE expires IS NULL ORDER BY id", [], client)
    }

    func update(_ client: Client) throws {
        news?.note(.client(client.id))
        try database.change(
            "UPDATE clients SET (\(Self.columns)) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?",
            try columns(of: client) + [client.id.column]
        )
    }

    func remove(_ id: ClientID) throws -> Bool {
        news?.note(.client(id))
        return try database.change("DELETE FROM clients WHERE id = ?", [id.column]) > 0
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try database.change(
            """
            DELETE FROM clients WHERE rowid IN
                (SELECT rowid FROM clients WHERE expires < ? ORDER BY expires LIMIT ?)
            """,
            [instant.column, limit]
        )
    }

    private func columns(of client: Client) throws -> [Column] {
        var secret: [UInt8]?
        var replaced: Client.ReplacedSecret?
        if case .confidential(let digest, let old) = client.kind { (secret, replaced) = (digest.column, old) }
        var columns: [Column] = [
            client.id.column, client.name.column, secret,
            client.grantTypes.map(\.rawValue).joined(separator: " ").column,
            client.scope.description.column, client.tokenFormat.rawValue, client.audience?.column,
            client.serves.isEmpty ? nil : try documentText(client.serves),
            client.lifetimes.code, client.lifetimes.accessToken, client.lifetimes.refreshToken,
            client.created.column,
        ]
        switch client.registration {
        case .operator: columns += [nil, nil, nil]
        case .device(let software, let expires):
            columns += [software.id.column, software.version.column, expires.column]
        }
        return columns + [replaced?.digest.column, replaced?.ends.column]
    }

    private func client(in row: Row) throws -> Client {
        Client(
            id: row.identifier(0),
            registration: registration(in: row),
            name: row[1],
            kind: kind(in: row),
            grantTypes: (row[3] as String).split(separator: " ").map { GrantType(rawValue: String($0)) },
            scope: try row.scope(4),
            tokenFormat: try row.name(5),
            audience: row[6],
            serves: row.hasNull(atIndex: 7) ? [] : try row.document(7),
            lifetimes: Lifetimes(code: row[8], accessToken: row[9], refreshToken: row[10]),
            created: row.instant(11)
        )
    }

    private func kind(in row: Row) -> Client.Kind {
        guard !row.hasNull(atIndex: 2) else { return .public }
        let replaced = row.optionalInstant(16).map { Client.ReplacedSecret(digest: row.digest(15), ends: $0) }
        return .confidential(row.digest(2), replaced: replaced)
    }

    private func registration(in row: Row) -> Client.Registration {
        guard let expires = row.optionalInstant(14) else { return .operator }
        return .device(ClientSoftware(id: row[12], version: row[13]), expires: expires)
    }
}
