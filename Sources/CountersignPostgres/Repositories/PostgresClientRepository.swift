#if PostgreSQL
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// The table `clients`.
struct PostgresClientRepository: ClientRepository {
    private static let columns = """
        id, name, secret, grant_types, scope, token_format, audience, serves, code_lifetime, access_token_lifetime, \
        refresh_token_lifetime, created
        """

    let connection: Connection
    let news: NewsSheet?

    func insert(_ client: Client) throws {
        var secret: [UInt8]?
        if case .confidential(let digest) = client.kind { secret = digest.column }
        try connection.insert(
            "INSERT INTO clients (\(Self.columns)) VALUES (\(places(12))) ON CONFLICT DO NOTHING",
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
        try connection.first("SELECT \(Self.columns) FROM clients WHERE id = $1", [id.column], client)
    }

    func all() throws -> [Client] {
        try connection.all("SELECT \(Self.columns) FROM clients ORDER BY id", [], client)
    }

    func remove(_ id: ClientID) throws -> Bool {
        news?.note(.client(id))
        return try connection.change("DELETE FROM clients WHERE id = $1", [id.column]) > 0
    }

    private func client(in row: Row) throws -> Client {
        Client(
            id: try row.identifier(0),
            name: try row.text(1),
            kind: row.isNull(2) ? .public : .confidential(try row.digest(2)),
            grantTypes: try row.text(3).split(separator: " ").map { GrantType(rawValue: String($0)) },
            scope: try row.scope(4),
            tokenFormat: try row.name(5),
            audience: row.optionalText(6),
            serves: row.isNull(7) ? [] : try row.document(7),
            lifetimes: Lifetimes(
                code: try row.real(8),
                accessToken: try row.real(9),
                refreshToken: try row.real(10)
            ),
            created: try row.instant(11)
        )
    }
}
#endif
