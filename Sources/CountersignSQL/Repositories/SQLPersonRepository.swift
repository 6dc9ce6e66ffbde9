internal import Countersign
internal import CountersignServer
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The table `people`.
struct SQLPersonRepository: PersonRepository {
    private static let columns: SQLColumns = [
        "subject", "username", "name", "email", "password", "backchannel_user_code", "standing", "administrator",
        "created",
    ]
    private static let inserting = SQLStatement.insert(into: "people", columns)
    private static let byUsername: SQLStatement = "SELECT \(columns.names) FROM people WHERE username = ?"
    private static let byAddress: SQLStatement =
        "SELECT \(columns.names) FROM people WHERE lower(email) = ? LIMIT 2"
    private static let bySubject: SQLStatement = "SELECT \(columns.names) FROM people WHERE subject = ?"
    static let bySubjects = SQLKeyedQuery { "SELECT \(columns.names) FROM people WHERE subject IN (\($0))" }
    /// Only PostgreSQL runs this; SQLite has no ANY.
    static let byFamilies = SQLKeyedQuery {
        """
        SELECT \(columns.names) FROM people
        WHERE subject = ANY(ARRAY(\(SQLSignInRecordRepository.subjects(ofFamilies: $0))))
        """
    }
    private static let all: SQLStatement = "SELECT \(columns.names) FROM people ORDER BY username"
    private static let updating: SQLStatement =
        "UPDATE people SET (\(columns.names)) = (\(columns.places)) WHERE subject = ?"
    private static let removing: SQLStatement = "DELETE FROM people WHERE subject = ?"

    let connection: any SQLConnection
    let change: ChangeCollector?
    let prefetched: PrefetchedRows?

    func insert(_ person: Person) throws {
        prefetched?.forgetPeople()
        try connection.insert(Self.inserting, values(of: person))
    }

    func find(_ username: Username) throws -> Person? {
        try connection.first(Self.byUsername, [username.column], Self.person)
    }

    func all(at address: EmailAddress) throws -> [Person] {
        try connection.all(Self.byAddress, [address.folded.column], Self.person)
    }

    func find(_ subject: Subject) throws -> Person? {
        if let prefetched = prefetched?.person(subject) { return prefetched }
        return try connection.first(Self.bySubject, [subject.column], Self.person)
    }

    func update(_ person: Person) throws {
        change?.add(.person(person.subject))
        prefetched?.forgetPeople()
        // In PostgreSQL a violated constraint would abort the transaction. There is one writer at a time, so the name
        // stays free between this look-up and the update.
        let holder = try find(person.username)?.subject
        guard holder == nil || holder == person.subject else { throw StoreRefusal.alreadyExists }
        try connection.write(Self.updating, values(of: person) + [person.subject.column])
    }

    func all() throws -> [Person] {
        try connection.all(Self.all, [], Self.person)
    }

    func remove(_ subject: Subject) throws -> Bool {
        change?.add(.person(subject))
        prefetched?.forgetPeople()
        return try connection.change(Self.removing, [subject.column]) > 0
    }

    private func values(of person: Person) -> [SQLValue?] {
        [
            person.subject.column, person.username.column, person.name.column, person.email?.column,
            person.password?.text.column, person.backchannelUserCode?.column, person.standing.column,
            person.isAdministrator.column,
            person.created.column,
        ]
    }

    static func person(in row: SQLRow) throws -> Person {
        Person(
            subject: try row.identifier(0),
            username: try row.identifier(1),
            name: try row.text(2),
            email: row.optionalText(3),
            password: row.optionalText(4).map { PasswordHash(restoring: $0) },
            backchannelUserCode: row.optionalDigest(5),
            standing: try row.name(6),
            isAdministrator: try row.bool(7),
            created: try row.instant(8)
        )
    }
}
