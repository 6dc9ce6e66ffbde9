import CommandFixture
import Foundation
import Testing

/// `script` gives the program a terminal of its own.
@Suite("A password that is typed at a terminal")
struct PasswordPromptTests {
    private func terminal(_ line: String) async throws -> AnsweringTerminal {
        let command = try CommandUnderTest()
        #expect(try await command.run("countersign admin client add tv").status == 0)
        return try AnsweringTerminal("exec script -qefc '\(line)' /dev/null", in: command)
    }

    @Test(arguments: [("correct horse battery", Int32(0)), ("correct horse batery", 1)])
    func `is typed twice where it is new, and not shown`(second: String, status: Int32) async throws {
        let terminal = try await terminal("countersign admin user add ben")
        try await terminal.reads("Password: ")
        await terminal.answer("correct horse battery")
        try await terminal.reads("The same again: ")
        await terminal.answer(second)
        let outcome = try await terminal.finish()
        #expect(outcome.status == status, "\(outcome.output)")
        #expect(!outcome.output.contains("horse"))
        #expect(outcome.output.contains("The two passwords are not the same") == (status != 0), "\(outcome.output)")
    }

    @Test func `leaves a terminal that shows what is typed when it is interrupted`() async throws {
        let terminal = try await terminal("trap : INT; countersign admin user add ben; echo $?; stty -a")
        try await terminal.reads("Password: ")
        // Ctrl-C alone: a line after it could be read before the signal is handled.
        await terminal.press("\u{3}")
        let shown = try await terminal.reads(" -echonl")
        #expect(shown.contains("130") && shown.contains(" echo "), "\(shown)")
        try await terminal.finish()
    }
}
