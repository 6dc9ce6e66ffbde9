import Countersign
import Testing

@testable import CountersignCommand

@Suite("A person of an imported file")
struct ImportedPersonTests {
    @Test func `has all that a line says`() throws {
        let fields = [
            "username": "Anna", "name": " Anna Ek ", "email": "anna@example.org", "email_verified": "TRUE",
            "subject": "248289761001", "administrator": "yes", "standing": "locked",
            "password_hash": "$2b$05$RJ800r7C1eduFO0iTaLlGeBnZIWWm6QKxqt1nipL8DXBY4gUg7Y2a",
        ]
        let person = try ImportedPerson(fields, vouching: false)
        #expect(person.isEmailVerified)
        #expect(person.username == Username("anna") && person.name == "Anna Ek" && person.email == "anna@example.org")
        #expect(
            person.subject == Subject("248289761001") && person.isAdministrator == true && person.standing == .locked)
        guard case .hash = person.secret else {
            Issue.record("no hash")
            return
        }
    }

    @Test func `loses an address that was not verified`() throws {
        let fields = ["username": "anna", "email": "anna@example.org", "email_verified": "false"]
        let person = try ImportedPerson(fields, vouching: true)
        #expect(person.email == "anna@example.org" && !person.isEmailVerified)
    }

    @Test(arguments: [
        (ImportFormat.csv, true), (.jsonLines, true), (.keycloak, false), (.glewlwyd, false), (.ldif, false),
    ])
    func `has a verified address where nothing is said, if the form of the file vouches`(
        format: ImportFormat, vouches: Bool
    ) throws {
        let fields = ["username": "anna", "email": "anna@example.org"]
        #expect(try ImportedPerson(fields, vouching: format.vouchesForEmails).isEmailVerified == vouches)
    }

    @Test(arguments: [
        [:], ["username": "a b"], ["username": "a", "name": "x\ny"], ["username": "a", "email": "nobody"],
        ["username": "a", "email": "nobody", "email_verified": "false"],
        ["username": "a", "email_verified": "perhaps"],
        ["username": "a", "administrator": "2"], ["username": "a", "standing": "away"],
        ["username": "a", "subject": "a b"], ["username": "a", "subject": String(repeating: "x", count: 256)],
        ["username": "a", "password": "short"], ["username": "a", "password": String(repeating: "x", count: 1025)],
        ["username": "a", "password_hash": "secret"], ["username": "a", "password_hash": "$2b$31$x"],
        ["username": "a", "password": "correct horse", "password_hash": "$2b$05$x"],
    ])
    func `is refused for a field that is wrong`(fields: [String: String]) {
        #expect(throws: ImportLineError.self) { try ImportedPerson(fields, vouching: true) }
    }

    @Test func `is refused without words of their secret`() {
        for fields in [
            ["username": "a", "password_hash": "hush"], ["username": "a", "password": "hush"],
            ["username": "a", "password": "hush", "password_hash": "hush"],
        ] {
            let error = #expect(throws: ImportLineError.self) { try ImportedPerson(fields, vouching: true) }
            #expect(error?.reason.contains("hush") == false)
        }
    }
}
