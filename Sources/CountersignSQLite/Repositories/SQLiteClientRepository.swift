internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation
internal import GRDB

/// The table `clients`.
struct SQLiteClientRepository: ClientRepository {
    private static let columns = """
        id, name, secret, grant_types, scope, token_format, audience, serves, code_lifetime, access_token_lifetime, \
        refresh_token_lifetime, created
        """
    private static let byID = "SELECT \(columns) FROM clients WHERE id = ?"

    let database: Database
    let news: NewsSheet?

    func insert(_ client: Client) throws {
        var secret: [UInt8]?
        if case .confidential(let digest) = client.kind { secret = digest.column }
        try database.insert(
            "INSERT INTO clients (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                client.id.column, client.name.column, secret,
                client.grantTypes.map(\.rawValue).joined(separator: " ").column,
                client.scope.description.column, client.tokenFormat.rawValue, client.audience?.column,
                client.serves.isEmpty ? nil : try documentText(client.serves),
                client.lifetimes.code, client.lifetimes.accessToken, client.lifetimes.refreshToken,
                client.created.column,
            ]
        )
    }

    func find(_ id: ClientID) throws -> Client? {
        try database.first(Self.byID, [id.column], client)
    }

    func all() throws -> [Client] {
        try database.all("SELECT \(Self.columns) FROM clients ORDER BY id", [], client)
    }

    func remove(_ id: ClientID) throws -> Bool {
        news?.note(.client(id))
        return try database.change("DELETE FROM clients WHERE id = ?", [id.column]) > 0
    }

    private func client(in row: Row) throws -> Client {
        Client(
            id: row.identifier(0),
            name: row[1],
            kind: row.hasNull(atIndex: 2) ? .public : .confidential(row.digest(2)),
            grantTypes: (row[3] as String).split(separator: " ").map { GrantType(rawValue: String($0)) },
            scope: try row.scope(4),
            tokenFormat: try row.name(5),
            audience: row[6],
            serves: row.hasNull(atIndex: 7) ? [] : try row.document(7),
            lifetimes: Lifetimes(code: row[8], accessToken: row[9], refreshToken: row[10]),
            created: row.instant(11)
        )
    }
}
