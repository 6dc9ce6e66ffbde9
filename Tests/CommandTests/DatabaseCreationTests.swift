import CommandFixture
import Testing

@Suite("A command that finds no database where --data leads")
struct DatabaseCreationTests {
    @Test(arguments: [("yes", true), ("no", false)])
    func `asks at a terminal before it makes one`(answer: String, isMade: Bool) async throws {
        let command = try CommandUnderTest()
        let line = "countersign admin client add tv --data typed"
        let terminal = try AnsweringTerminal(
            "exec script --quiet --return --command \"\(line)\" /dev/null", in: command)
        try await terminal.reads("Make a new one there?")
        await terminal.answer("perhaps")
        try await terminal.reads("Please type yes or no.")
        try await terminal.reads("Make a new one there?")
        await terminal.answer(answer)
        let outcome = try await terminal.finish()
        #expect(outcome.status == (isMade ? 0 : 1))
        #expect(outcome.output.contains(isMade ? "Added the client tv." : "No database was made."))
        let found = try await command.run("ls typed/countersign.sqlite")
        #expect((found.status == 0) == isMade)
    }
}
