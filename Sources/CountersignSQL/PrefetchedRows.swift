internal import Countersign
package import CountersignStorage

/// Rows that an engine fetched ahead of the lookups, as in the transaction. Used by one thread only.
///
/// Clients that a lookup found are cached as well: most changes of a busy server are for the same few. A row is
/// forgotten as soon as a statement may have changed it; a lookup then asks the database.
package final class PrefetchedRows {
    private var refreshTokens: [SecretDigest: RefreshTokenRecord?] = [:]
    private var signIns: [Grant.ID: SignInRecord?] = [:]
    private var people: [Subject: Person?] = [:]
    private var clients: [ClientID: Client?] = [:]

    package init() {}

    /// A query that fetches some rows, and its handler.
    package struct Query {
        package let statement: SQLStatement
        package let values: [SQLValue?]
        package let keep: ([SQLRow]) -> Void
    }

    /// The queries that fetch rows: one for all rows of a kind, unless there are very many.
    package func queries(for rows: Set<PrefetchedRow>) -> [Query] {
        var wanted = RowKeys()
        for row in rows { wanted.add(row) }
        return queries(
            SQLRefreshTokenRepository.byFamilies, wanted.families, SQLRefreshTokenRepository.record,
            keep: { self.refreshTokens[$0.family] = .some($0) }, noteAbsence: { self.refreshTokens[$0] = .some(nil) })
            + queries(
                SQLSignInRecordRepository.byGrants, wanted.grants, SQLSignInRecordRepository.record,
                keep: { self.signIns[$0.grant.id] = .some($0) }, noteAbsence: { self.signIns[$0] = .some(nil) })
            + queries(
                SQLPersonRepository.bySubjects, wanted.subjects, SQLPersonRepository.record,
                keep: { self.people[$0.subject] = .some($0) }, noteAbsence: { self.people[$0] = .some(nil) })
            + queries(
                SQLClientRepository.byIDs, wanted.clients, SQLClientRepository.record,
                keep: { self.clients[$0.id] = .some($0) }, noteAbsence: { self.clients[$0] = .some(nil) })
            + queries(
                SQLSignInRecordRepository.byFamilies, wanted.familiesForSignIns, SQLSignInRecordRepository.record,
                keep: { self.signIns[$0.grant.id] = .some($0) })
            + queries(
                SQLPersonRepository.byFamilies, wanted.familiesForPeople, SQLPersonRepository.record,
                keep: { self.people[$0.subject] = .some($0) })
    }

    /// Queries for the rows that some keys lead to.
    ///
    /// An unreadable row is not cached: only its lookup fails then. Its key is not known, so no key counts as absent
    /// then.
    ///
    /// - Parameter noteAbsence: Receives each key before its row is stored; `nil`, the default, if a row does not show
    ///   which key led to it.
    private func queries<Key, Row>(
        _ query: SQLKeyedQuery,
        _ keys: [(key: Key, column: SQLValue)],
        _ decode: @escaping (SQLRow) throws -> Row,
        keep: @escaping (Row) -> Void,
        noteAbsence: ((Key) -> Void)? = nil
    ) -> [Query] {
        stride(from: 0, to: keys.count, by: SQLKeyedQuery.mostKeys).map { first in
            let keys = keys[first..<min(first + SQLKeyedQuery.mostKeys, keys.count)]
            let (statement, values) = query.statement(for: keys.map(\.column))
            return Query(statement: statement, values: values) { rows in
                let found = rows.compactMap { try? decode($0) }
                if let noteAbsence, found.count == rows.count {
                    for (key, _) in keys { noteAbsence(key) }
                }
                for row in found { keep(row) }
            }
        }
    }

    /// A refresh token that was fetched; `nil` when it was not, and a `nil` inside when there is none.
    func refreshToken(_ family: SecretDigest) -> RefreshTokenRecord?? { refreshTokens[family] }

    /// A sign-in that was fetched, likewise.
    func signIn(_ grant: Grant.ID) -> SignInRecord?? { signIns[grant] }

    /// A person that was fetched, likewise.
    func person(_ subject: Subject) -> Person?? { people[subject] }

    /// A client; `lookUp` finds one in the table that was neither fetched nor looked up before.
    func client(_ id: ClientID, _ lookUp: () throws -> Client?) rethrows -> Client? {
        if let client = clients[id] { return client }
        let client = try lookUp()
        clients[id] = .some(client)
        return client
    }

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
private struct RowKeys {
    var families: [(key: SecretDigest, column: SQLValue)] = []
    var grants: [(key: Grant.ID, column: SQLValue)] = []
    var subjects: [(key: Subject, column: SQLValue)] = []
    var clients: [(key: ClientID, column: SQLValue)] = []
    var familiesForSignIns: [(key: SecretDigest, column: SQLValue)] = []
    var familiesForPeople: [(key: SecretDigest, column: SQLValue)] = []

    mutating func add(_ row: PrefetchedRow) {
        switch row {
        case .refreshToken(let family): families.append((family, family.column))
        case .signInOfRefreshToken(let family): familiesForSignIns.append((family, family.column))
        case .personOfRefreshToken(let family): familiesForPeople.append((family, family.column))
        case .signIn(let grant): grants.append((grant, grant.column))
        case .person(let subject): subjects.append((subject, subject.column))
        case .client(let id): clients.append((id, id.column))
        }
    }
}
