internal import Countersign
package import CountersignServer

/// Rows that an engine fetched ahead of the look-ups, as they are in the transaction. Used by one thread only.
///
/// A row is forgotten as soon as a statement may have changed it; a look-up then asks the database.
package final class PrefetchedRows {
    private var refreshTokens: [SecretDigest: RefreshTokenRecord?] = [:]
    private var signIns: [Grant.ID: SignInRecord?] = [:]
    private var people: [Subject: Person?] = [:]
    private var clients: [ClientID: Client?] = [:]

    package init() {}

    /// A query that fetches some rows, and what to do with those that it finds.
    package struct Query {
        package let statement: SQLStatement
        package let values: [SQLValue?]
        package let keep: ([SQLRow]) -> Void
    }

    /// The queries that fetch rows: one for all rows of a kind, unless there are very many.
    package func queries(for rows: Set<PrefetchedRow>) -> [Query] {
        var wanted = WantedRows()
        for row in rows { wanted.add(row) }
        let tokens = queries(
            SQLRefreshTokenRepository.byFamilies, wanted.families, SQLRefreshTokenRepository.token,
            { $0.family }, { self.refreshTokens[$0] = $1 })
        let signIns = queries(
            SQLSignInRecordRepository.byGrants, wanted.grants, SQLSignInRecordRepository.record,
            { $0.grant.id }, { self.signIns[$0] = $1 })
        let people = queries(
            SQLPersonRepository.bySubjects, wanted.subjects, SQLPersonRepository.person,
            { $0.subject }, { self.people[$0] = $1 })
        let clients = queries(
            SQLClientRepository.byIDs, wanted.clients, SQLClientRepository.client,
            { $0.id }, { self.clients[$0] = $1 })
        let signInsOfTokens = queries(
            SQLSignInRecordRepository.byFamilies, wanted.familiesForSignIns, SQLSignInRecordRepository.record
        ) { self.signIns[$0.grant.id] = .some($0) }
        let peopleOfTokens = queries(
            SQLPersonRepository.byFamilies, wanted.familiesForPeople, SQLPersonRepository.person
        ) { self.people[$0.subject] = .some($0) }
        return tokens + signIns + people + clients + signInsOfTokens + peopleOfTokens
    }

    /// Queries for the rows of some keys, of which also the absence of a row is kept.
    ///
    /// A row that can't be read is not kept: the look-up then fails, and nothing else. Its key is not known, so nothing
    /// counts as absent then.
    private func queries<Key: Hashable, Row>(
        _ query: SQLKeyedQuery,
        _ keys: [(key: Key, column: SQLValue)],
        _ decode: @escaping (SQLRow) throws -> Row,
        _ key: @escaping (Row) -> Key,
        _ keep: @escaping (Key, Row??) -> Void
    ) -> [Query] {
        slices(of: keys).map { keys in
            let (statement, values) = query.statement(for: keys.map(\.column)[...])
            return Query(statement: statement, values: values) { rows in
                let found = rows.compactMap { try? decode($0) }
                if found.count == rows.count {
                    for (key, _) in keys { keep(key, .some(nil)) }
                }
                for row in found { keep(key(row), .some(row)) }
            }
        }
    }

    /// Queries for the rows to which some keys lead.
    private func queries<Row>(
        _ query: SQLKeyedQuery,
        _ keys: [SQLValue],
        _ decode: @escaping (SQLRow) throws -> Row,
        _ keep: @escaping (Row) -> Void
    ) -> [Query] {
        slices(of: keys).map { keys in
            let (statement, values) = query.statement(for: keys)
            return Query(statement: statement, values: values) { rows in
                for row in rows {
                    if let row = try? decode(row) { keep(row) }
                }
            }
        }
    }

    private func slices<Key>(of keys: [Key]) -> [ArraySlice<Key>] {
        stride(from: 0, to: keys.count, by: SQLKeyedQuery.mostKeys).map {
            keys[$0..<min($0 + SQLKeyedQuery.mostKeys, keys.count)]
        }
    }

    /// A refresh token that was fetched; `nil` when it was not, and a `nil` inside when there is none.
    func refreshToken(_ family: SecretDigest) -> RefreshTokenRecord?? { refreshTokens[family] }

    /// A sign-in that was fetched, likewise.
    func signIn(_ grant: Grant.ID) -> SignInRecord?? { signIns[grant] }

    /// A person that was fetched, likewise.
    func person(_ subject: Subject) -> Person?? { people[subject] }

    /// A client that was fetched, likewise.
    func client(_ id: ClientID) -> Client?? { clients[id] }

    func forgetRefreshToken(_ family: SecretDigest) { refreshTokens[family] = nil }
    func forgetRefreshTokens() { refreshTokens = [:] }
    func forgetSignIn(_ grant: Grant.ID) { signIns[grant] = nil }
    func forgetSignIns() { signIns = [:] }
    func forgetPeople() { people = [:] }
    func forgetClients() { clients = [:] }

    /// Forgets everything, because a change was rolled back.
    func forgetAll() {
        forgetRefreshTokens()
        forgetSignIns()
        forgetPeople()
        forgetClients()
    }
}

/// The keys of rows, each with its column's value.
private struct WantedRows {
    var families: [(key: SecretDigest, column: SQLValue)] = []
    var grants: [(key: Grant.ID, column: SQLValue)] = []
    var subjects: [(key: Subject, column: SQLValue)] = []
    var clients: [(key: ClientID, column: SQLValue)] = []
    var familiesForSignIns: [SQLValue] = []
    var familiesForPeople: [SQLValue] = []

    mutating func add(_ row: PrefetchedRow) {
        switch row {
        case .refreshToken(let family): families.append((family, family.column))
        case .signInOfRefreshToken(let family): familiesForSignIns.append(family.column)
        case .personOfRefreshToken(let family): familiesForPeople.append(family.column)
        case .signIn(let grant): grants.append((grant, grant.column))
        case .person(let subject): subjects.append((subject, subject.column))
        case .client(let id): clients.append((id, id.column))
        }
    }
}
