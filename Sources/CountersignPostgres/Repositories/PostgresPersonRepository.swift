#if PostgreSQL
internal import Countersign
internal import CountersignServer
internal import Foundation

/// The table `people`.
struct PostgresPersonRepository: PersonRepository {
    private static let columns = "subject, username, name, email, password, standing, administrator, created"

    let connection: Connection
    let news: NewsSheet?

    func insert(_ person: Person) throws {
        try connection.insert(
            "INSERT INTO people (\(Self.columns)) VALUES (\(places(8))) ON CONFLICT DO NOTHING",
            [
                person.subject.column, person.username.column, person.name.column, person.email?.column,
                person.password.text, person.standing.rawValue, person.isAdministrator ? 1 : 0, person.created.column,
            ]
        )
    }

    func find(_ username: Username) throws -> Person? {
        try connection.first("SELECT \(Self.columns) FROM people WHERE username = $1", [username.column], person)
    }

    func find(_ subject: Subject) throws -> Person? {
        try connection.first("SELECT \(Self.columns) FROM people WHERE subject = $1", [subject.column], person)
    }

    func update(_ person: Person) throws {
        news?.note(.person(person.subject))
        // A violated constraint would end the transaction. Since there is one writer at a time, nobody takes the name
        // between the question and the update.
        let holder = try find(person.username)?.subject
        guard holder == nil || holder == person.subject else { throw StoreRefusal.alreadyExists }
        try connection.change(
            """
            UPDATE people
            SET username = $1, name = $2, email = $3, password = $4, standing = $5, administrator = $6, created = $7
            WHERE subject = $8
            """,
            [
                person.username.column, person.name.column, person.email?.column, person.password.text,
                person.standing.rawValue, person.isAdministrator ? 1 : 0, person.created.column,
                person.subject.column,
            ]
        )
    }

    func all() throws -> [Person] {
        try connection.all("SELECT \(Self.columns) FROM people ORDER BY username", [], person)
    }

    func remove(_ subject: Subject) throws -> Bool {
        news?.note(.person(subject))
        return try connection.change("DELETE FROM people WHERE subject = $1", [subject.column]) > 0
    }

    private func person(in row: Row) throws -> Person {
        Person(
            subject: try row.identifier(0),
            username: try row.identifier(1),
            name: try row.text(2),
            email: row.optionalText(3),
            password: PasswordHash(restoring: try row.text(4)),
            standing: try row.name(5),
            isAdministrator: try row.whole(6) == 1,
            created: try row.instant(7)
        )
    }
}
#endif
