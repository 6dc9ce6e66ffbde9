internal import Countersign
internal import CountersignServer
internal import Foundation
internal import GRDB

/// The table `domains`.
struct SQLiteDomainRepository: DomainRepository {
    private static let columns = """
        name, display_name, credential, sign_on, affiliation, redirect_uris, token_lifetime, created
        """
    private static let byName = "SELECT \(columns) FROM domains WHERE name = ?"
    private static let byCredential = "SELECT \(columns) FROM domains WHERE credential = ?"

    let database: Database
    let news: NewsSheet?

    func insert(_ domain: ServiceDomain) throws {
        try database.insert(
            "INSERT INTO domains (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            try columns(of: domain)
        )
    }

    func find(_ name: Domain) throws -> ServiceDomain? {
        try database.first(Self.byName, [name.column], domain)
    }

    func find(_ credential: SecretDigest) throws -> ServiceDomain? {
        try database.first(Self.byCredential, [credential.column], domain)
    }

    func all() throws -> [ServiceDomain] {
        try database.all("SELECT \(Self.columns) FROM domains ORDER BY name", [], domain)
    }

    func update(_ domain: ServiceDomain) throws {
        news?.note(.domain(domain.name))
        try database.insert(
            "UPDATE domains SET (\(Self.columns)) = (?, ?, ?, ?, ?, ?, ?, ?) WHERE name = ?",
            try columns(of: domain) + [domain.name.column]
        )
    }

    func remove(_ name: Domain) throws -> Bool {
        news?.note(.domain(name))
        return try database.change("DELETE FROM domains WHERE name = ?", [name.column]) > 0
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
            name: row.identifier(0),
            displayName: row[1],
            credential: row.digest(2),
            signOn: try row.name(3),
            group: row[4],
            redirectURIs: try row.document(5),
            tokenLifetime: row[6],
            created: row.instant(7)
        )
    }
}
