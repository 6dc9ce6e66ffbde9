internal import Countersign
internal import CountersignStorage

/// The table `domains`.
struct SQLDomainRepository: DomainRepository, SQLTable {
    static let table: SQLText = "domains"
    static let columns: SQLColumns = [
        "name", "display_name", "credential", "sign_on", "affiliation", "redirect_uris", "token_lifetime", "created",
    ]
    static let usual = SQLStatements(of: Self.self, key: ["name"])
    private static let byCredential = selection("credential = ?")
    private static let everything = selection(orderedBy: "name")
    private static let following = selection("name > ? ORDER BY name LIMIT ?")

    let connection: any SQLConnection
    let change: ChangeCollector?

    static func values(of domain: ServiceDomain) throws -> [SQLValue?] {
        [
            domain.name.column, domain.displayName.column, domain.credential.column, domain.signOn.column,
            domain.group?.column, try .document(domain.redirectURIs), domain.tokenLifetime.column,
            domain.created.column,
        ]
    }

    static func record(in row: SQLRow) throws -> ServiceDomain {
        try ServiceDomain(
            name: row[0], displayName: row[1], credential: row[2], signOn: row[3], group: row[4],
            redirectURIs: row.document(5), tokenLifetime: row[6], created: row[7])
    }

    func find(_ name: Domain) throws -> ServiceDomain? { try first(Self.usual.find, name.column) }
    func find(_ credential: SecretDigest) throws -> ServiceDomain? { try first(Self.byCredential, credential.column) }
    func all() throws -> [ServiceDomain] { try all(Self.everything) }

    func page(after last: Domain?, limit: Int) throws -> [ServiceDomain] {
        try all(Self.following, (last?.rawValue ?? "").column, limit.column)
    }

    func update(_ domain: ServiceDomain) throws {
        change?.add(.domain(domain.name))
        // In PostgreSQL a violated constraint would abort the transaction. There is one writer at a time, so the
        // credential stays free between this lookup and the update.
        let holder = try find(domain.credential)?.name
        guard holder == nil || holder == domain.name else { throw StoreError.alreadyExists }
        try write(domain, by: Self.usual.update, key: domain.name.column)
    }

    func remove(_ name: Domain) throws -> Bool {
        change?.add(.domain(name))
        return try runs(Self.usual.remove, name.column)
    }
}
