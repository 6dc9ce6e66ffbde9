import Countersign
import Foundation
import Testing

@testable import CountersignCommand

@Suite("The list of Glewlwyd's users")
struct GlewlwydImportTests {
    private func read(_ text: String) throws -> [ImportRecord] {
        try ImportFile(of: Data(text.utf8), called: "The file", as: .glewlwyd).records
    }

    @Test func `has people with their scopes as groups, and their further texts as attributes`() throws {
        let records = try read(
            """
            [{"username":"anna","name":"Anna Ek","email":"anna@example.org","enabled":true,
            "scope":["openid","g_profile","staff"],"source":"database","last_login":1,"phone":"123","cards":["a","b"],
            "picture":{"type":"image/png"}},{"username":"ben","enabled":false}]
            """)
        let people = try records.map { try ImportedPerson($0.fields.get(), with: $0.extras, vouching: false) }
        #expect(people.map(\.username) == ["anna", "ben"].map { Username(rawValue: $0) })
        #expect(people[0].name == "Anna Ek" && people[0].email == "anna@example.org" && !people[0].isEmailVerified)
        #expect(people[0].extras.groups == [GroupName("staff")])
        #expect(people[0].extras.attributes == [AttributeName("phone"): "123", AttributeName("cards"): "a, b"])
        #expect(people[0].extras.notes == ["hash not taken (not in the list): the person needs a link."])
        #expect(people[1].standing == .locked && people[0].isAdministrator == nil)
    }

    @Test(arguments: [#"[{"username":"anna"}"#, "{}", "[", "5", #""anna""#])
    func `is refused as a whole where it is cut off, or is no list`(text: String) {
        #expect(throws: CommandError.self) { try read(text) }
    }

    @Test(arguments: [
        "{}", "5", #"{"username":null}"#, #"{"username":"x","scope":5}"#, #"{"username":"x","enabled":"no"}"#,
    ])
    func `has entries that are refused alone`(entry: String) throws {
        let records = try read("[{\"username\":\"ben\"},\(entry)]")
        #expect(records.map { (try? $0.fields.get()) != nil } == [true, false])
    }
}
