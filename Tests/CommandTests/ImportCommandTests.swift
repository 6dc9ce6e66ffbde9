import CommandFixture
import Testing

@Suite("An import of many people")
struct ImportCommandTests {
    private static let hash = "$2b$05$RJ800r7C1eduFO0iTaLlGeBnZIWWm6QKxqt1nipL8DXBY4gUg7Y2a"

    /// The lines of more than two changes.
    private static let make = """
        (echo username,email,password_hash; seq 1 $COUNT | sed 's|.*|person&,p&@example.org,\(hash)|') > people.csv
        """

    @Test func `goes on where it stopped`() async throws {
        let command = try CommandUnderTest()
        #expect(try await command.run("COUNT=600; \(Self.make)").status == 0)
        let first = try await command.run("countersign admin user import people.csv --create")
        #expect(first.output.contains("People: 600 added, 0 changed, 0 unchanged."), "\(first.output)")
        #expect(try await command.run("COUNT=1201; \(Self.make)").status == 0)
        let second = try await command.run("countersign admin user import people.csv")
        #expect(second.output == "People: 601 added, 0 changed, 600 unchanged.\n", "\(second.output)")
        #expect(try await command.run("countersign admin audit verify").status == 0)
    }

    @Test(arguments: ["user", "client"])
    func `is read in a dry run without a database, and makes none`(noun: String) async throws {
        let command = try CommandUnderTest()
        let realm = #"{"realm":"home","users":[{"username":"anna"}],"clients":[]}"#
        _ = try await command.run("echo '\(realm)' > realm.json")
        let line = "countersign admin \(noun) import realm.json --dry-run --data typed"
        let refused = try await command.run(line)
        #expect(refused.status == 1 && refused.output.contains("There is no database in"), "\(refused.output)")
        let read = try await command.run("\(line) --create")
        #expect(read.status == 0 && read.output.contains("There is no database in"), "\(read.output)")
        #expect(read.output.contains("\(noun == "user" ? 1 : 0) to be added"), "\(read.output)")
        #expect(try await command.run("ls typed").status != 0)
    }

    @Test func `says where many lines in a row are refused`() async throws {
        let command = try CommandUnderTest()
        let outcome = try await command.run(
            "(echo username,email; seq 1 700 | sed 's|.*|person&,none|') | countersign admin user import - --create")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("Line 2: email is no e-mail address"))
        #expect(outcome.output.contains("Line 701: email is no e-mail address"))
        #expect(outcome.output.contains("700 lines refused"))
        #expect(try await command.run("countersign admin user list").output == "Nobody yet.\n")
    }
}
