internal import Countersign
internal import CountersignServer
internal import Foundation
internal import GRDB

/// The table `people`.
struct SQLitePersonRepository: PersonRepository {
    private static let columns = "subject, username, name, email, password, standing, administrator, created"
    private static let byUsername = "SELECT \(columns) FROM people WHERE username = ?"
    private static let bySubject = "SELECT \(columns) FROM people WHERE subject = ?"

    let database: Database
    let news: NewsSheet?

    func insert(_ person: Person) throws {
        try database.insert(
            "INSERT INTO people (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                person.subject.column, person.username.column, person.name.column, person.email?.column,
                person.password.text, person.standing.rawValue, person.isAdministrator ? 1 : 0, person.created.column,
            ]
        )
    }

    func find(_ username: Username) throws -> Person? {
        try database.first(Self.byUsername, [username.column], person)
    }

    func find(_ subject: Subject) throws -> Person? {
        try database.first(Self.bySubject, [subject.column], person)
    }

    func update(_ person: Person) throws {
        news?.note(.person(person.subject))
        try database.insert(
            """
            UPDATE people
            SET username = ?, name = ?, email = ?, password = ?, standing = ?, administrator = ?, created = ?
            WHERE subject = ?
            """,
            [
                person.username.column, person.name.column, person.email?.column, person.password.text,
                person.standing.rawValue, person.isAdministrator ? 1 : 0, person.created.column,
                person.subject.column,
            ]
        )
    }

    func all() throws -> [Person] {
        try database.all("SELECT \(Self.columns) FROM people ORDER BY username", [], person)
    }

    func remove(_ subject: Subject) throws -> Bool {
        news?.note(.person(subject))
        return try database.change("DELETE FROM people WHERE subject = ?", [subject.column]) > 0
    }

    private func person(in row: Row) throws -> Person {
        Person(
            subject: row.identifier(0),
            username: row.identifier(1),
            name: row[2],
            email: row[3],
            password: PasswordHash(restoring: row[4]),
            standing: try row.name(5),
            isAdministrator: row[6] == 1,
            created: row.instant(7)
        )
    }
}
