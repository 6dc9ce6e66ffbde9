internal import Countersign
internal import CountersignStorage

/// The table `identity_providers`.
struct SQLIdentityProviderRepository: IdentityProviderRepository, SQLTable {
    static let table: SQLText = "identity_providers"
    static let columns: SQLColumns = [
        "id", "display_name", "issuer", "kind", "makes_accounts", "created", "exchangers",
    ]
    static let usual = SQLStatements(of: Self.self, key: ["id"])
    private static let everything = selection(orderedBy: "created, id")
    private static let after = selection("id > ? ORDER BY id LIMIT ?")

    let connection: any SQLConnection

    static func values(of provider: IdentityProvider) throws -> [SQLValue?] {
        [
            provider.id.column, provider.displayName.column, provider.issuer.column, try .document(provider.kind),
            provider.makesAccounts.column, provider.created.column, try .document(provider.exchangers),
        ]
    }

    static func record(in row: SQLRow) throws -> IdentityProvider {
        var provider = try IdentityProvider(
            id: row[0], displayName: row[1], issuer: row[2], kind: row.document(3), created: row[5])
        provider.makesAccounts = try row[4]
        provider.exchangers = try row.document(6)
        return provider
    }

    func find(_ id: IdentityProvider.ID) throws -> IdentityProvider? { try first(Self.usual.find, id.column) }
    func all() throws -> [IdentityProvider] { try all(Self.everything) }

    func page(after last: IdentityProvider.ID?, limit: Int) throws -> [IdentityProvider] {
        try all(Self.after, (last?.rawValue ?? "").column, limit.column)
    }

    func remove(_ id: IdentityProvider.ID) throws -> Bool { try runs(Self.usual.remove, id.column) }
}

/// The table `linked_identities`.
struct SQLLinkedIdentityRepository: LinkedIdentityRepository, SQLTable {
    static let table: SQLText = "linked_identities"
    static let columns: SQLColumns = ["issuer", "identity", "subject", "label", "linked"]
    static let usual = SQLStatements(of: Self.self, key: ["issuer", "identity"])
    private static let ofPerson = selection("subject = ? ORDER BY linked, issuer, identity LIMIT 1000")
    private static let counting: SQLStatement = "SELECT COUNT(*) FROM linked_identities WHERE issuer = ?"
    private static let countingWithoutPassword: SQLStatement = """
        SELECT COUNT(*) FROM linked_identities JOIN people ON people.subject = linked_identities.subject
        WHERE issuer = ? AND password IS NULL
        """
    private static let removingOfPerson = removal("subject = ?")

    let connection: any SQLConnection

    static func values(of identity: LinkedIdentity) -> [SQLValue?] {
        [
            identity.issuer.column, identity.subject.column, identity.person.column, identity.label?.column,
            identity.linked.column,
        ]
    }

    static func record(in row: SQLRow) throws -> LinkedIdentity {
        try LinkedIdentity(issuer: row[0], subject: row[1], person: row[2], label: row[3], linked: row[4])
    }

    func find(_ issuer: IdentityIssuer, _ subject: String) throws -> LinkedIdentity? {
        try first(Self.usual.find, issuer.column, subject.column)
    }

    func all(of person: Subject) throws -> [LinkedIdentity] { try all(Self.ofPerson, person.column) }

    func count(of issuer: IdentityIssuer) throws -> (all: Int, withoutPassword: Int) {
        let all = try connection.first(Self.counting, [issuer.column]) { try $0.integer(0) }
        let some = try connection.first(Self.countingWithoutPassword, [issuer.column]) { try $0.integer(0) }
        return (all ?? 0, some ?? 0)
    }

    func remove(_ issuer: IdentityIssuer, _ subject: String) throws -> Bool {
        try runs(Self.usual.remove, issuer.column, subject.column)
    }

    func removeAll(of person: Subject) throws { try write(Self.removingOfPerson, person.column) }
}

/// The table `provider_visits`.
struct SQLProviderVisitRepository: ProviderVisitRepository, SQLTable, SQLExpiringTable {
    static let table: SQLText = "provider_visits"
    static let columns: SQLColumns = ["state", "browser", "provider", "purpose", "target", "started", "expires"]
    static let usual = SQLStatements(of: Self.self, key: ["state"])
    static let sweeping = sweep(by: "expires")

    let connection: any SQLConnection

    static func values(of visit: ProviderVisit) throws -> [SQLValue?] {
        [
            visit.state.column, visit.browser.column, visit.provider.column, try .document(visit.purpose),
            visit.target.column, visit.started.column, visit.expires.column,
        ]
    }

    static func record(in row: SQLRow) throws -> ProviderVisit {
        try ProviderVisit(
            state: row[0], browser: row[1], provider: row[2], purpose: row.document(3), target: row[4],
            started: row[5], expires: row[6])
    }

    func find(_ state: SecretDigest) throws -> ProviderVisit? { try first(Self.usual.find, state.column) }
    func remove(_ state: SecretDigest) throws -> Bool { try runs(Self.usual.remove, state.column) }
}
