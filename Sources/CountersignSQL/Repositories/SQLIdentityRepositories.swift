internal import Countersign
internal import CountersignServer
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The table `identity_providers`.
struct SQLIdentityProviderRepository: IdentityProviderRepository {
    private static let columns: SQLColumns = [
        "id", "display_name", "issuer", "kind", "makes_accounts", "created", "exchangers",
    ]
    private static let inserting = SQLStatement.insert(into: "identity_providers", columns)
    private static let byID: SQLStatement = "SELECT \(columns.names) FROM identity_providers WHERE id = ?"
    private static let all: SQLStatement = "SELECT \(columns.names) FROM identity_providers ORDER BY created, id"
    private static let removing: SQLStatement = "DELETE FROM identity_providers WHERE id = ?"

    let connection: any SQLConnection

    func insert(_ provider: IdentityProvider) throws {
        try connection.insert(
            Self.inserting,
            [
                provider.id.column, provider.displayName.column, provider.issuer.column,
                try .document(provider.kind), provider.makesAccounts.column, provider.created.column,
                try .document(provider.exchangers),
            ]
        )
    }

    func find(_ id: IdentityProvider.ID) throws -> IdentityProvider? {
        try connection.first(Self.byID, [id.column], provider)
    }

    func all() throws -> [IdentityProvider] {
        try connection.all(Self.all, [], provider)
    }

    func remove(_ id: IdentityProvider.ID) throws -> Bool {
        try connection.change(Self.removing, [id.column]) > 0
    }

    private func provider(in row: SQLRow) throws -> IdentityProvider {
        var provider = IdentityProvider(
            id: try row.identifier(0),
            displayName: try row.text(1),
            issuer: try row.identifier(2),
            kind: try row.document(3),
            created: try row.instant(5)
        )
        provider.makesAccounts = try row.bool(4)
        provider.exchangers = try row.document(6)
        return provider
    }
}

/// The table `linked_identities`.
struct SQLLinkedIdentityRepository: LinkedIdentityRepository {
    private static let columns: SQLColumns = ["issuer", "identity", "subject", "label", "linked"]
    private static let inserting = SQLStatement.insert(into: "linked_identities", columns)
    private static let one: SQLStatement =
        "SELECT \(columns.names) FROM linked_identities WHERE issuer = ? AND identity = ?"
    private static let ofPerson: SQLStatement = """
        SELECT \(columns.names) FROM linked_identities WHERE subject = ? ORDER BY linked, issuer, identity LIMIT 1000
        """
    private static let counting: SQLStatement = "SELECT COUNT(*) FROM linked_identities WHERE issuer = ?"
    private static let countingWithoutPassword: SQLStatement = """
        SELECT COUNT(*) FROM linked_identities JOIN people ON people.subject = linked_identities.subject
        WHERE issuer = ? AND password IS NULL
        """
    private static let removing: SQLStatement = "DELETE FROM linked_identities WHERE issuer = ? AND identity = ?"
    private static let removingOfPerson: SQLStatement = "DELETE FROM linked_identities WHERE subject = ?"

    let connection: any SQLConnection

    func insert(_ identity: LinkedIdentity) throws {
        try connection.insert(
            Self.inserting,
            [
                identity.issuer.column, identity.subject.column, identity.person.column, identity.label?.column,
                identity.linked.column,
            ]
        )
    }

    func find(_ issuer: IdentityIssuer, _ subject: String) throws -> LinkedIdentity? {
        try connection.first(Self.one, [issuer.column, subject.column], identity)
    }

    func all(of person: Subject) throws -> [LinkedIdentity] {
        try connection.all(Self.ofPerson, [person.column], identity)
    }

    func count(of issuer: IdentityIssuer) throws -> (all: Int, withoutPassword: Int) {
        let all = try connection.first(Self.counting, [issuer.column]) { try $0.integer(0) }
        let some = try connection.first(Self.countingWithoutPassword, [issuer.column]) { try $0.integer(0) }
        return (all ?? 0, some ?? 0)
    }

    func remove(_ issuer: IdentityIssuer, _ subject: String) throws -> Bool {
        try connection.change(Self.removing, [issuer.column, subject.column]) > 0
    }

    func removeAll(of person: Subject) throws {
        try connection.write(Self.removingOfPerson, [person.column])
    }

    private func identity(in row: SQLRow) throws -> LinkedIdentity {
        LinkedIdentity(
            issuer: try row.identifier(0),
            subject: try row.text(1),
            person: try row.identifier(2),
            label: row.optionalText(3),
            linked: try row.instant(4)
        )
    }
}

/// The table `provider_visits`.
struct SQLProviderVisitRepository: ProviderVisitRepository {
    private static let columns: SQLColumns = [
        "state", "browser", "provider", "purpose", "target", "started", "expires",
    ]
    private static let inserting = SQLStatement.insert(into: "provider_visits", columns)
    private static let byState: SQLStatement = "SELECT \(columns.names) FROM provider_visits WHERE state = ?"
    private static let removing: SQLStatement = "DELETE FROM provider_visits WHERE state = ?"
    private static let sweeping = SQLStatement.sweep("provider_visits", by: "expires")

    let connection: any SQLConnection

    func insert(_ visit: ProviderVisit) throws {
        try connection.insert(
            Self.inserting,
            [
                visit.state.column, visit.browser.column, visit.provider.column, try .document(visit.purpose),
                visit.target.column, visit.started.column, visit.expires.column,
            ]
        )
    }

    func find(_ state: SecretDigest) throws -> ProviderVisit? {
        try connection.first(Self.byState, [state.column]) { row in
            ProviderVisit(
                state: state,
                browser: try row.digest(1),
                provider: try row.identifier(2),
                purpose: try row.document(3),
                target: try row.text(4),
                started: try row.instant(5),
                expires: try row.instant(6)
            )
        }
    }

    func remove(_ state: SecretDigest) throws -> Bool {
        try connection.change(Self.removing, [state.column]) > 0
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(Self.sweeping, [instant.column, limit.column])
    }
}
