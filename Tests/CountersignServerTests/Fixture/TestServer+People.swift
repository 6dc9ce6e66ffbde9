import Countersign
import CountersignSQLite
import CountersignWire
import HummingbirdTesting
import Testing

@testable import CountersignServer

extension TestServer {
    /// The record of a person.
    func record(of person: TestPerson) async throws -> Person {
        try #require(try await store.read { try $0.people.find(person.subject) })
    }

    /// Changes the record of a person.
    func change(_ person: TestPerson, _ edit: @escaping @Sendable (inout Person) throws -> Void) async throws {
        try await change { repositories in
            var record = try #require(try repositories.people.find(person.subject))
            try edit(&record)
            try repositories.people.update(record)
        }
    }

    /// Locks a person, as `admin user lock` does apart from ending what they hold.
    func lock(_ person: TestPerson, _ standing: Policy.Standing = .locked) async throws {
        try await change(person) { $0.standing = standing }
    }

    /// Whether a name and a password sign in without a second factor.
    func signsIn(_ username: String, _ password: String) async throws -> Bool {
        let answer = try await newBrowser().post("login", ["username": username, "password": password])
        return answer.location == "/account"
    }
}

extension Form {
    /// The fields of a new password, typed twice, behind the earlier one of a person where the page asks for it.
    static func newPassword(_ password: String = "seven slow snails", after person: TestPerson? = nil) -> Form {
        var form: Form = ["new_password": password, "new_password_again": password]
        form["password"] = person?.password.revealed
        return form
    }

    /// The form with other values of some fields; `nil` leaves a field out.
    func replacing(_ fields: [String: String?]) -> Form {
        var form = self
        for (name, value) in fields { form[name] = value }
        return form
    }
}
