#if PostgreSQL
internal import Countersign
internal import CountersignServer
internal import Foundation

/// The table `domains`.
struct PostgresDomainRepository: DomainRepository {
    private static let columns = """
        name, display_name, credential, sign_on, affiliation, redirect_uris, token_lifetime, created
        """

    let connection: Connection
    let news: NewsSheet?

    func insert(_ domain: ServiceDomain) throws {
        try connection.insert(
            "INSERT INTO domains (\(Self.columns)) VALUES (\(places(8))) ON CONFLICT DO NOTHING",
            try columns(of: domain)
        )
    }

    func find(_ name: Domain) throws -> ServiceDomain? {
        try connection.first("SELECT \(Self.columns) FROM domains WHERE name = $1", [name.column], domain)
    }

    func find(_ credential: SecretDigest) throws -> ServiceDomain? {
        try connection.first("SELECT \(Self.columns) FROM domains WHERE credential = $1", [credential.column], domain)
    }

    func all() throws -> [ServiceDomain] {
        try connection.all("SELECT \(Self.columns) FROM domains ORDER BY name", [], domain)
    }

    func update(_ domain: ServiceDomain) throws {
        news?.note(.domain(domain.name))
        // A violated constraint would end the transaction. Since there is one writer at a time, nobody takes the
        // credential between the question and the update.
        let holder = try find(domain.credential)?.name
        guard holder == nil || holder == domain.name else { throw StoreRefusal.alreadyExists }
        try connection.change(
            "UPDATE domains SET (\(Self.columns)) = (\(places(8))) WHERE name = $9",
            try columns(of: domain) + [domain.name.column]
        )
    }

    func remove(_ name: Domain) throws -> Bool {
        news?.note(.domain(name))
        return try connection.change("DELETE FROM domains WHERE name = $1", [name.column]) > 0
    }

    private func columns(of domain: ServiceDomain) throws -> [Column] {
        [
            domain.name.column, domain.displayName.column, domain.credential.column, domain.signOn.rawValue,
            domain.group?.column, try documentText(domain.redirectURIs), domain.tokenLifetime,
            domain.created.column,
        ]
    }

    private func domain(in row: Row) throws -> ServiceDomain {
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
#endif
