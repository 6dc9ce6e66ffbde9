internal import Countersign
internal import CountersignServer
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The table `domains`.
struct SQLDomainRepository: DomainRepository {
    private static let columns: SQLColumns = [
        "name", "display_name", "credential", "sign_on", "affiliation", "redirect_uris", "token_lifetime", "created",
    ]
    private static let inserting = SQLStatement.insert(into: "domains", columns)
    private static let byName: SQLStatement = "SELECT \(columns.names) FROM domains WHERE name = ?"
    private static let byCredential: SQLStatement = "SELECT \(columns.names) FROM domains WHERE credential = ?"
    private static let all: SQLStatement = "SELECT \(columns.names) FROM domains ORDER BY name"
    private static let updating: SQLStatement =
        "UPDATE domains SET (\(columns.names)) = (\(columns.places)) WHERE name = ?"
    private static let removing: SQLStatement = "DELETE FROM domains WHERE name = ?"

    let connection: any SQLConnection
    let change: ChangeCollector?

    func insert(_ domain: ServiceDomain) throws {
        try connection.insert(Self.inserting, try values(of: domain))
    }

    func find(_ name: Domain) throws -> ServiceDomain? {
        try connection.first(Self.byName, [name.column], domain)
    }

    func find(_ credential: SecretDigest) throws -> ServiceDomain? {
        try connection.first(Self.byCredential, [credential.column], domain)
    }

    func all() throws -> [ServiceDomain] {
        try connection.all(Self.all, [], domain)
    }

    func update(_ domain: ServiceDomain) throws {
        change?.add(.domain(domain.name))
        // In PostgreSQL a violated constraint would abort the transaction. There is one writer at a time, so the
        // credential stays free between this look-up and the update.
        let holder = try find(domain.credential)?.name
        guard holder == nil || holder == domain.name else { throw StoreRefusal.alreadyExists }
        try connection.write(Self.updating, try values(of: domain) + [domain.name.column])
    }

    func remove(_ name: Domain) throws -> Bool {
        change?.add(.domain(name))
        return try connection.change(Self.removing, [name.column]) > 0
    }

    private func values(of domain: ServiceDomain) throws -> [SQLValue?] {
        [
            domain.name.column, domain.displayName.column, domain.credential.column, domain.signOn.column,
            domain.group?.column, try .document(domain.redirectURIs), domain.tokenLifetime.column,
            domain.created.column,
        ]
    }

    private func domain(in row: SQLRow) throws -> ServiceDomain {
        ServiceDomain(
            name: try row.identifier(0),
            displayName: try row.text(1),
            credential: try row.digest(2),
            signOn: try row.name(3),
            group: row.optionalText(4),
            redirectURIs: try row.document(5),
            tokenLifetime: try row.real(6),
            created: try row.instant(7)
        )
    }
}
