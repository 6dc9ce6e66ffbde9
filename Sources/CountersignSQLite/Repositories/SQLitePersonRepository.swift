internal import Countersign
internal import CountersignServer
internal import GRDB

/// The table `people`.
struct SQLitePersonRepository: PersonRepository {
    let database: Database

    func insert(_ person: Person) throws {
        try database.insert(
            "INSERT INTO people (subject, username, document) VALUES (?, ?, ?)",
            [person.subject.rawValue, person.username.rawValue, try documentText(person)]
        )
    }

    func find(_ username: Username) throws -> Person? {
        try database.first("SELECT document FROM people WHERE username = ?", [username.rawValue])
            .map { try $0.document(0) }
    }

    func find(_ subject: Subject) throws -> Person? {
        try database.first("SELECT document FROM people WHERE subject = ?", [subject.rawValue])
            .map { try $0.document(0) }
    }

    func update(_ person: Person) throws {
        try database.insert(
            "UPDATE people SET username = ?, document = ? WHERE subject = ?",
            [person.username.rawValue, try documentText(person), person.subject.rawValue]
        )
    }

    func all() throws -> [Person] {
        try database.all("SELECT document FROM people ORDER BY username").map { try $0.document(0) }
    }

    func remove(_ subject: Subject) throws -> Bool {
        try database.change("DELETE FROM people WHERE subject = ?", [subject.rawValue]) > 0
    }
}
