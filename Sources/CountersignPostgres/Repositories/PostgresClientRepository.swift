#if PostgreSQL
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// The table `clients`.
struct PostgresClientRepository: ClientRepository {
    private static let columns = """
        id, name, secret, grant_types, scope, token_format, audience, serves, code_lifetime, access_token_lifetime, \
        refresh_token_lifetime, created, software_id, software_version, expires, old_secret, old_secret_ends
        """

    let connection: Connection
    let news: NewsSheet?

    func insert(_ client: Client) throws {
        try connection.insert(
            "INSERT INTO clients (\(Self.columns)) VALUES (\(places(17))) ON CONFLICT DO NOTHING",
            try columns(of: client)
        )
    }

    func find(_ id: ClientID) throws -> Client? {
        try connection.first("SELECT \(Self.columns) FROM clients WHERE id = $1", [id.column], client)
    }

    func all() throws -> [Client] {
        try connection.all("SELECT \(Self.columns) FROM clients WHERE expires IS NULL ORDER BY id", [], client)
    }

    func update(_ client: Client) throws {
        news?.note(.client(client.id))
        try connection.change(
            "UPDATE clients SET (\(Self.columns)) = (\(places(17))) WHERE id = $18",
            try columns(of: client) + [client.id.column]
        )
    }

    func remove(_ id: ClientID) throws -> Bool {
        news?.note(.client(id))
        return try connection.change("DELETE FROM clients WHERE id = $1", [id.column]) > 0
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(
            """
            DELETE FROM clients WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM clients WHERE expires < $1 ORDER BY expires LIMIT $2))
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
            id: try row.identifier(0),
            registration: try registration(in: row),
            name: try row.text(1),
            kind: try kind(in: row),
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

    private func kind(in row: Row) throws -> Client.Kind {
        guard !row.isNull(2) else { return .public }
        let replaced = try row.optionalInstant(16).map { Client.ReplacedSecret(digest: try row.digest(15), ends: $0) }
        return .confidential(try row.digest(2), replaced: replaced)
    }

    private func registration(in row: Row) throws -> Client.Registration {
        guard let expires = try row.optionalInstant(14) else { return .operator }
        return .device(ClientSoftware(id: try row.text(12), version: try row.text(13)), expires: expires)
    }
}
#endif
