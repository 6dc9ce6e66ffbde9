internal import Countersign
internal import CountersignServer
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The table `clients`.
struct SQLClientRepository: ClientRepository {
    private static let columns: SQLColumns = [
        "id", "name", "secret", "grant_types", "scope", "token_format", "audience", "serves", "code_lifetime",
        "access_token_lifetime", "refresh_token_lifetime", "created", "software_id", "software_version", "expires",
        "old_secret", "old_secret_ends", "undone", "redirects", "dpop", "public_keys",
        "registration_token", "registration", "backchannel", "link_approval", "id_token_algorithm",
    ]
    private static let inserting = SQLStatement.insert(into: "clients", columns)
    private static let byID: SQLStatement = "SELECT \(columns.names) FROM clients WHERE id = ?"
    static let byIDs = SQLKeyedQuery { "SELECT \(columns.names) FROM clients WHERE id IN (\($0))" }
    private static let ofOperator: SQLStatement =
        "SELECT \(columns.names) FROM clients WHERE expires IS NULL ORDER BY id"
    private static let updating: SQLStatement =
        "UPDATE clients SET (\(columns.names)) = (\(columns.places)) WHERE id = ?"
    private static let removing: SQLStatement = "DELETE FROM clients WHERE id = ?"
    private static let expired: SQLStatement =
        "SELECT id FROM clients WHERE expires < ? ORDER BY expires LIMIT ?"

    let connection: any SQLConnection
    let change: ChangeCollector?
    let prefetched: PrefetchedRows?

    func insert(_ client: Client) throws {
        prefetched?.forgetClients()
        try connection.insert(Self.inserting, try values(of: client))
    }

    func find(_ id: ClientID) throws -> Client? {
        guard let prefetched else { return try lookUp(id) }
        return try prefetched.client(id) { try lookUp(id) }
    }

    func all() throws -> [Client] {
        try connection.all(Self.ofOperator, [], Self.client)
    }

    func update(_ client: Client) throws {
        change?.add(.client(client.id))
        prefetched?.forgetClients()
        try connection.write(Self.updating, try values(of: client) + [client.id.column])
    }

    func remove(_ id: ClientID) throws -> Bool {
        change?.add(.client(id))
        prefetched?.forgetClients()
        try connection.write(SQLMuteRepository.removingOfClient, [id.column])
        return try connection.change(Self.removing, [id.column]) > 0
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        let expired: [ClientID] = try connection.all(Self.expired, [instant.column, limit.column]) {
            try $0.identifier(0)
        }
        prefetched?.forgetClients()
        for client in expired { change?.add(.client(client)) }
        for statement in [SQLMuteRepository.removingOfClient, Self.removing] {
            try connection.change(statement, forEach: expired.map { [$0.column] })
        }
        return expired.count
    }

    private func lookUp(_ id: ClientID) throws -> Client? {
        try connection.first(Self.byID, [id.column], Self.client)
    }

    private func values(of client: Client) throws -> [SQLValue?] {
        var secret: SecretDigest?
        var replaced: Client.ReplacedSecret?
        var keys: RegisteredKeys?
        switch client.kind {
        case .public: break
        case .confidential(let digest, let old): (secret, replaced) = (digest, old)
        case .keys(let registered): keys = RegisteredKeys(keys: registered.keys)
        case .certificate(let credential, signing: let registered):
            keys = RegisteredKeys(keys: registered?.keys, certificate: credential)
        }
        var values: [SQLValue?] = [
            client.id.column, client.name.column, secret?.column,
            client.grantTypes.map(\.rawValue).joined(separator: " ").column,
            client.scope.column, client.tokenFormat.column, client.audience?.column,
            client.serves.isEmpty ? nil : try .document(client.serves),
            client.lifetimes.code.column, client.lifetimes.accessToken.column, client.lifetimes.refreshToken.column,
            client.created.column,
        ]
        switch client.registration {
        case .operator: values += [nil, nil, nil]
        case .device(let software, let expires):
            values += [software.id.column, software.version.column, expires.column]
        case .dynamic(let registration):
            values += [
                registration.software?.id.column, registration.software?.version.column, registration.expires?.column,
            ]
        }
        let dynamic: DynamicRegistration? = if case .dynamic(let it) = client.registration { it } else { nil }
        return values + [
            replaced?.digest.column, replaced?.ends.column, client.undone?.column,
            client.redirects == .none ? nil : try .document(client.redirects),
            client.dpop.column, try keys.map { try .document($0) },
            dynamic?.token.column, try dynamic.map { try .document(ManagedRegistration($0)) },
            client.backchannel == .polling ? nil : try .document(client.backchannel),
            client.linkApproval.column, client.chosenIDTokenAlgorithm?.column,
        ]
    }

    static func client(in row: SQLRow) throws -> Client {
        Client(
            id: try row.identifier(0),
            registration: try registration(in: row),
            name: try row.text(1),
            kind: try kind(in: row),
            grantTypes: try row.text(3).split(separator: " ").map { GrantType(rawValue: String($0)) },
            scope: try row.scope(4),
            tokenFormat: try row.name(5),
            chosenIDTokenAlgorithm: row.isNull(25) ? nil : try row.name(25),
            audience: row.optionalText(6),
            serves: row.isNull(7) ? [] : try row.document(7),
            redirects: row.isNull(18) ? .none : try row.document(18),
            lifetimes: Lifetimes(
                code: try row.real(8),
                accessToken: try row.real(9),
                refreshToken: try row.real(10)
            ),
            dpop: try row.name(19),
            backchannel: row.isNull(23) ? .polling : try row.document(23),
            linkApproval: try row.name(24),
            created: try row.instant(11),
            undone: row.optionalInstant(17)
        )
    }

    private static func kind(in row: SQLRow) throws -> Client.Kind {
        if !row.isNull(20) {
            let registered: RegisteredKeys = try row.document(20)
            let keys = registered.keys.map { JSONWebKeySet(keys: $0) }
            if let certificate = registered.certificate { return .certificate(certificate, signing: keys) }
            guard let keys else { throw UnreadableRow(column: "public_keys") }
            return .keys(keys)
        }
        guard !row.isNull(2) else { return .public }
        let replaced = try row.optionalInstant(16).map { Client.ReplacedSecret(digest: try row.digest(15), ends: $0) }
        return .confidential(try row.digest(2), replaced: replaced)
    }

    private static func registration(in row: SQLRow) throws -> Client.Registration {
        if !row.isNull(21) { return .dynamic(try dynamic(in: row)) }
        guard let expires = row.optionalInstant(14) else { return .operator }
        return .device(ClientSoftware(id: try row.text(12), version: try row.text(13)), expires: expires)
    }

    private static func dynamic(in row: SQLRow) throws -> DynamicRegistration {
        let managed: ManagedRegistration = try row.document(22)
        guard let method = PresentedCredentials.Method(rawValue: managed.method) else {
            throw UnreadableRow(column: "registration")
        }
        return DynamicRegistration(
            token: try row.digest(21),
            expires: row.optionalInstant(14),
            method: method,
            software: row.isNull(12) ? nil : ClientSoftware(id: try row.text(12), version: try row.text(13)),
            allowance: managed.allowance
        )
    }

    /// The public part of a client's keys: those that it authenticates with, or those that sign its requests beside a
    /// certificate. One of the members is there.
    private struct RegisteredKeys: Codable {
        var keys: [JSONWebKey]?
        var certificate: CertificateCredential?
    }

    /// The part of a registration that is only ever read as a whole.
    private struct ManagedRegistration: Codable {
        let method: String
        let allowance: RegistrationAllowance

        init(_ registration: DynamicRegistration) {
            method = registration.method.rawValue
            allowance = registration.allowance
        }
    }
}
