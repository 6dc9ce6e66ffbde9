internal import Countersign
internal import CountersignStorage
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The table `clients`.
struct SQLClientRepository: ClientRepository, SQLTable {
    static let table: SQLText = "clients"
    static let columns: SQLColumns = [
        "id", "name", "secret", "grant_types", "scope", "token_format", "audience", "serves", "code_lifetime",
        "access_token_lifetime", "refresh_token_lifetime", "created", "software_id", "software_version", "expires",
        "old_secret", "old_secret_ends", "undone", "redirects", "dpop", "public_keys",
        "registration_token", "registration", "backchannel", "link_approval", "id_token_algorithm",
        "minimum_evidence",
    ]
    static let usual = SQLStatements(of: Self.self, key: ["id"])
    static let byIDs = SQLKeyedQuery { "SELECT \(columns.names) FROM clients WHERE id IN (\($0))" }
    private static let ofOperator = selection("expires IS NULL ORDER BY id")
    private static let ofOperatorAfter = selection("expires IS NULL AND id > ? ORDER BY id LIMIT ?")
    private static let expired: SQLStatement = "SELECT id FROM clients WHERE expires < ? ORDER BY expires LIMIT ?"

    let connection: any SQLConnection
    let change: ChangeCollector?
    let prefetched: PrefetchedRows?

    func insert(_ client: Client) throws {
        prefetched?.forgetClients()
        try insertRow(client)
    }

    func find(_ id: ClientID) throws -> Client? {
        guard let prefetched else { return try lookUp(id) }
        return try prefetched.client(id) { try lookUp(id) }
    }

    func all() throws -> [Client] { try all(Self.ofOperator) }

    func page(after last: ClientID?, limit: Int) throws -> [Client] {
        try all(Self.ofOperatorAfter, (last?.rawValue ?? "").column, limit.column)
    }

    func update(_ client: Client) throws {
        change?.add(.client(client.id))
        prefetched?.forgetClients()
        try write(client, by: Self.usual.update, key: client.id.column)
    }

    func remove(_ id: ClientID) throws -> Bool {
        change?.add(.client(id))
        prefetched?.forgetClients()
        try write(SQLMuteRepository.removingOfClient, id.column)
        try write(SQLRememberedScreenRepository.removingOfClient, id.column)
        return try runs(Self.usual.remove, id.column)
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        let expired: [ClientID] = try connection.all(Self.expired, [instant.column, limit.column]) { try $0[0] }
        prefetched?.forgetClients()
        for client in expired { change?.add(.client(client)) }
        for statement in [
            SQLMuteRepository.removingOfClient, SQLRememberedScreenRepository.removingOfClient, Self.usual.remove,
        ] {
            try connection.change(statement, forEach: expired.map { [$0.column] })
        }
        return expired.count
    }

    private func lookUp(_ id: ClientID) throws -> Client? { try first(Self.usual.find, id.column) }

    static func values(of client: Client) throws -> [SQLValue?] {
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
            client.minimumEvidence == .none ? nil : client.minimumEvidence.description.column,
        ]
    }

    static func record(in row: SQLRow) throws -> Client {
        let grantTypes: String = try row[3]
        return try Client(
            id: row[0],
            registration: registration(in: row),
            name: row[1],
            kind: kind(in: row),
            grantTypes: grantTypes.split(separator: " ").map { GrantType(rawValue: String($0)) },
            scope: row[4],
            tokenFormat: row[5],
            chosenIDTokenAlgorithm: row.isNull(25) ? nil : row[25],
            audience: row[6],
            serves: row.isNull(7) ? [] : row.document(7),
            redirects: row.isNull(18) ? .none : row.document(18),
            lifetimes: Lifetimes(code: row[8], accessToken: row[9], refreshToken: row[10]),
            dpop: row[19],
            backchannel: row.isNull(23) ? .polling : row.document(23),
            linkApproval: row[24],
            minimumEvidence: row[26] ?? .none,
            created: row[11],
            undone: row[17]
        )
    }

    private static func kind(in row: SQLRow) throws -> Client.Kind {
        if !row.isNull(20) {
            let registered: RegisteredKeys = try row.document(20)
            let keys = registered.keys.map { JSONWebKeySet(keys: $0) }
            if let certificate = registered.certificate { return .certificate(certificate, signing: keys) }
            guard let keys else { throw RowDecodingError(column: "public_keys") }
            return .keys(keys)
        }
        guard !row.isNull(2) else { return .public }
        let replaced = row.isNull(16) ? nil : try Client.ReplacedSecret(digest: row[15], ends: row[16])
        return .confidential(try row[2], replaced: replaced)
    }

    private static func registration(in row: SQLRow) throws -> Client.Registration {
        if !row.isNull(21) { return .dynamic(try dynamic(in: row)) }
        guard !row.isNull(14) else { return .operator }
        return try .device(ClientSoftware(id: row[12], version: row[13]), expires: row[14])
    }

    private static func dynamic(in row: SQLRow) throws -> DynamicRegistration {
        let managed: ManagedRegistration = try row.document(22)
        guard let method = PresentedCredentials.Method(rawValue: managed.method) else {
            throw RowDecodingError(column: "registration")
        }
        let software = row.isNull(12) ? nil : try ClientSoftware(id: row[12], version: row[13])
        return try DynamicRegistration(
            token: row[21], expires: row[14], method: method, software: software, allowance: managed.allowance)
    }

    /// The public part of a client's keys, for authentication, or for signing requests of a client with a certificate.
    /// One of the members is present.
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
