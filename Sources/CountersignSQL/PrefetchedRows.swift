internal import Countersign
package import CountersignServer

/// Rows that an engine fetched ahead of the look-ups, as they are in the transaction. Used by one thread only.
///
/// A row is forgotten as soon as a statement may have changed it; a look-up then asks the database.
package final class PrefetchedRows {
    private var refreshTokens: [SecretDigest: RefreshTokenRecord?] = [:]
    private var signIns: [Grant.ID: SignInRecord?] = [:]
    private var people: [Subject: Person?] = [:]

    package init() {}

    /// A query that fetches a row, and what to do with the row that it finds. A row that can't be read is not kept: the
    /// look-up then fails, and nothing else.
    package struct Query {
        package let statement: SQLStatement
        package let values: [SQLValue?]
        package let keep: (SQLRow?) -> Void
    }

    /// The query that fetches a row.
    package func query(for row: PrefetchedRow) -> Query {
        switch row {
        case .refreshToken(let family):
            Query(statement: SQLRefreshTokenRepository.byFamily, values: [family.column]) { [self] row in
                refreshTokens[family] = decoded(row, SQLRefreshTokenRepository.token)
            }
        case .signInOfRefreshToken(let family):
            Query(statement: SQLSignInRecordRepository.byFamily, values: [family.column]) { [self] row in
                guard let found = decoded(row, SQLSignInRecordRepository.record) ?? nil else { return }
                signIns[found.grant.id] = .some(found)
            }
        case .signIn(let grant):
            Query(statement: SQLSignInRecordRepository.byGrant, values: [grant.column]) { [self] row in
                signIns[grant] = decoded(row, SQLSignInRecordRepository.record)
            }
        case .person(let subject):
            Query(statement: SQLPersonRepository.bySubject, values: [subject.column]) { [self] row in
                people[subject] = decoded(row, SQLPersonRepository.person)
            }
        }
    }

    /// `nil` when there is a row that can't be read, and a `nil` inside when there is no row.
    private func decoded<Value>(_ row: SQLRow?, _ decode: (SQLRow) throws -> Value) -> Value?? {
        guard let row else { return .some(nil) }
        guard let value = try? decode(row) else { return nil }
        return .some(value)
    }

    /// A refresh token that was fetched; `nil` when it was not, and a `nil` inside when there is none.
    func refreshToken(_ family: SecretDigest) -> RefreshTokenRecord?? { refreshTokens[family] }

    /// A sign-in that was fetched, likewise.
    func signIn(_ grant: Grant.ID) -> SignInRecord?? { signIns[grant] }

    /// A person that was fetched, likewise.
    func person(_ subject: Subject) -> Person?? { people[subject] }

    func forgetRefreshToken(_ family: SecretDigest) { refreshTokens[family] = nil }
    func forgetRefreshTokens() { refreshTokens = [:] }
    func forgetSignIn(_ grant: Grant.ID) { signIns[grant] = nil }
    func forgetSignIns() { signIns = [:] }
    func forgetPeople() { people = [:] }

    /// Forgets everything, because a change was rolled back.
    func forgetAll() {
        forgetRefreshTokens()
        forgetSignIns()
        forgetPeople()
    }
}
