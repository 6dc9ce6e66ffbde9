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
