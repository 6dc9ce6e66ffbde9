import Countersign
import Foundation
import Testing

@testable import CountersignCommand

@Suite("The people in the export of a Keycloak realm")
struct KeycloakImportTests {
    /// A hash of `correct horse` by PBKDF2, in the two texts of JSON in JSON.
    private static let credential = """
        {"type":"password","secretData":"{\\"value\\":\\"c2l4dGVlbiBieXRlcyBvbmx5\\",\\"salt\\":\\"c2FsdHNhbHQ=\\"}",
        "credentialData":"{\\"hashIterations\\":27500,\\"algorithm\\":\\"pbkdf2-sha256\\",\\"additionalParameters\\":{}}"}
        """

    private func read(_ users: String) throws -> ImportFile {
        try ImportFile(of: Data("{\"realm\":\"home\",\"users\":[\(users)]}".utf8), called: "The file")
    }

    private func person(_ user: String) throws -> ImportedPerson {
        let record = try #require(try read(user).records.first)
        return try ImportedPerson(record.fields.get(), with: record.extras, vouching: true)
    }

    @Test func `have all that the export says`() throws {
        let anna = try person(
            """
            {"id":"9d3f","username":"anna","email":"anna@example.org","emailVerified":true,"firstName":"Anna",
            "lastName":"Ek","enabled":true,"attributes":{"department":["Sales"],"rooms":["1","2"],"locale":["de"]},
            "groups":["/staff","/staff/sales"],"credentials":[\(Self.credential)],"createdTimestamp":1}
            """)
        #expect(anna.username == Username("anna") && anna.name == "Anna Ek" && anna.email == "anna@example.org")
        #expect(anna.isEmailVerified && anna.subject == Subject("9d3f") && anna.standing == nil)
        #expect(anna.extras.groups.map(\.rawValue) == ["staff", "staff/sales"])
        #expect(anna.extras.attributes[AttributeName("department")] == "Sales")
        #expect(anna.extras.attributes[AttributeName("rooms")] == "1, 2")
        #expect(anna.extras.locale == "de" && anna.extras.notes.isEmpty)
        guard case .hash(let hash) = anna.secret, case .pbkdf2(let kind)? = hash.kind else {
            Issue.record("\(anna.secret)")
            return
        }
        #expect(kind.digest == .sha256 && kind.iterations == 27_500)
    }

    @Test func `are in a group for each role of the realm, by themselves or by their groups`() throws {
        let file = try ImportFile(
            of: Data(
                """
                {"realm":"home","groups":[{"name":"staff","path":"/staff","realmRoles":["reader"],
                "subGroups":[{"name":"sales","path":"/staff/sales","realmRoles":["seller","editor"]}]},{"name":5}],
                "users":[{"username":"anna","groups":["/staff/sales"],"clientRoles":{"shop":["buyer"],"account":["x"]},
                "realmRoles":["default-roles-home","offline_access","editor"]},{"username":"ben"}]}
                """.utf8), called: "The file")
        let people = try file.records.map { try ImportedPerson($0.fields.get(), with: $0.extras, vouching: true) }
        #expect(
            people.map { $0.extras.groups.map(\.rawValue) } == [
                ["staff/sales", "role:editor", "role:reader", "role:seller"], [],
            ])
        #expect(people.map(\.extras.notes) == [["roles at shop not taken: groups are for all clients."], []])
    }

    @Test func `are in the groups for the roles that their composite roles contain, also around a circle`() throws {
        let file = try ImportFile(
            of: Data(
                """
                {"realm":"home","roles":{"realm":[{"name":"boss","composite":true,"composites":{"realm":["editor","staff"],
                "client":{"shop":["buyer"],"account":["x"]}}},{"name":"staff","composites":{"realm":["boss","reader"]}},
                {"name":"default-roles-home","composites":{"realm":["offline_access","guest"]}},{"name":5},
                {"name":"reader","composites":5},{"name":"editor"}]},
                "users":[{"username":"anna","realmRoles":["boss"]},{"username":"ben","realmRoles":["default-roles-home"]}]}
                """.utf8), called: "The file")
        let people = try file.records.map { try ImportedPerson($0.fields.get(), with: $0.extras, vouching: true) }
        #expect(
            people.map { $0.extras.groups.map(\.rawValue) } == [
                ["role:boss", "role:editor", "role:staff", "role:reader"], ["role:guest"],
            ])
        #expect(people[0].extras.notes == ["roles at shop not taken: groups are for all clients."])
        #expect(people[1].extras.notes.isEmpty)
    }

    @Test func `have the roles that a role of a client contains`() throws {
        let file = try ImportFile(
            of: Data(
                """
                {"realm":"home","roles":{"client":{"desk":[{"name":"clerk","composites":{"realm":["writer"]}}]}},
                "groups":[{"name":"office","clientRoles":{"desk":["clerk"]}}],
                "users":[{"username":"cleo","groups":["/office"]}]}
                """.utf8), called: "The file")
        let cleo = try #require(file.records.first)
        let person = try ImportedPerson(cleo.fields.get(), with: cleo.extras, vouching: true)
        #expect(person.extras.groups.map(\.rawValue) == ["office", "role:writer"])
        #expect(person.extras.notes == ["roles at desk not taken: groups are for all clients."])
    }

    @Test(arguments: [("Europe/Vienna", "Europe/Vienna", 0), ("CET", nil, 1), ("Vienna", nil, 1)])
    func `have the time zones that the server shows times in`(zone: String, taken: String?, notes: Int) throws {
        let anna = try person(#"{"username":"anna","attributes":{"zoneinfo":["\#(zone)"]}}"#)
        #expect(anna.extras.zoneInfo == taken && anna.extras.notes.count == notes)
        #expect(anna.extras.attributes.isEmpty)
    }

    @Test func `are locked where they are not enabled, and unverified where nothing is said`() throws {
        let ben = try person(#"{"username":"ben","email":"ben@example.org","enabled":false}"#)
        #expect(ben.standing == .locked && !ben.isEmailVerified && ben.secret == .none && ben.name == nil)
    }

    @Test func `are named where their hash, their second factor or a group is not taken`() throws {
        let cleo = try person(
            """
            {"username":"cleo","groups":["/my group"],"federatedIdentities":[{"identityProvider":"google"}],
            "credentials":[{"type":"otp"},{"type":"password","secretData":"{}",
            "credentialData":"{\\"algorithm\\":\\"argon2\\"}"}]}
            """)
        #expect(cleo.secret == .none && cleo.extras.groups.isEmpty)
        let notes = cleo.extras.notes.joined(separator: "\n")
        #expect(notes.contains("hash not taken (argon2): the person needs a link."))
        #expect(notes.contains("otp not taken") && notes.contains("'my group'") && notes.contains("google"))
    }

    @Test(arguments: [
        #""requiredActions":["UPDATE_PASSWORD","VERIFY_EMAIL"],"credentials":[\#(Self.credential)]"#,
        #""credentials":[{"type":"password","value":"secret","temporary":true}]"#,
    ])
    func `need a link where their password is temporary`(members: String) throws {
        let anna = try person("{\"username\":\"anna\",\(members)}")
        #expect(anna.secret == .none)
        #expect(anna.extras.notes == ["hash not taken (temporary password): the person needs a link."])
    }

    @Test func `are named where Keycloak asks them for more`() throws {
        let anna = try person(
            #"{"username":"anna","requiredActions":["CONFIGURE_TOTP"],"credentials":[\#(Self.credential)]}"#)
        #expect(anna.secret != .none && anna.extras.notes == ["required action CONFIGURE_TOTP not taken."])
    }

    @Test(arguments: [
        #"{"name":"x"}"#, #"{"username":5}"#, "5", "null", #"{"username":"a","attributes":{"x":5}}"#,
        #"{"username":"a","groups":"staff"}"#, #"{"username":"a b"}"#, #"{"username":"a","email":"nobody"}"#,
        #"{"username":"a","credentials":[{"hashIterations":1e99}]}"#,
    ])
    func `are refused alone where they cannot be read`(user: String) throws {
        let file = try read("{\"username\":\"ben\"},\(user),{\"username\":\"cleo\"}")
        #expect(file.records.map(\.line) == [1, 2, 3])
        let isRead = file.records.map { record in
            (try? record.fields.get()).map { (try? ImportedPerson($0, with: record.extras, vouching: false)) != nil }
                ?? false
        }
        #expect(isRead == [true, false, true])
    }

    @Test func `are not the accounts of clients`() throws {
        let file = try read(#"{"username":"service-account-web","serviceAccountClientId":"web"},{"username":"ben"}"#)
        #expect(file.records.map(\.line) == [2] && file.skipped == 1)
    }

    @Test(arguments: [
        #"{"realm":"home","users":[{"username":"anna"}"#, #"{"realm":"home","users":5}"#, #"{"realm":"home"}"#,
        #"{"realm":"home","users":[]}"#,
    ])
    func `are refused as a whole where the file is cut off, or has nobody`(text: String) {
        #expect(throws: CommandError.self) { try ImportFile(of: Data(text.utf8), called: "It", as: .keycloak) }
    }

    @Test func `are refused as a whole where the file is too deep`() {
        let text = "{\"realm\":" + String(repeating: "[", count: 100_000)
        #expect(throws: CommandError.self) { try ImportFile(of: Data(text.utf8), called: "It", as: .keycloak) }
    }

    @Test func `have no more attributes than fit, and the rest is noted`() throws {
        let many = (0..<25).map { "\"a\($0)\":[\"x\"]" }.joined(separator: ",")
        let long = String(repeating: "x", count: 300)
        let anna = try person("{\"username\":\"anna\",\"attributes\":{\(many),\"0\":[\"\(long)\"],\"b c\":[\"x\"]}}")
        #expect(anna.extras.attributes.count == 20 && anna.extras.notes.count == 7)
        #expect(anna.extras.notes.allSatisfy { $0.contains("not taken") && !$0.contains(long) })
    }
}
