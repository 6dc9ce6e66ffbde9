import CommandFixture
import Foundation
import Testing

@testable import CountersignCommand

/// `script` gives the program a terminal of its own.
@Suite("A removal at a terminal")
struct ConfirmationTests {
    private static let question = "Removes the client tv; this cannot be undone. Go on? [yes/no] "

    private func terminal(_ line: String) async throws -> (AnsweringTerminal, CommandUnderTest) {
        let command = try CommandUnderTest()
        #expect(try await command.run("countersign admin client add tv").status == 0)
        return (try AnsweringTerminal("exec script -qefc '\(line)' /dev/null", in: command), command)
    }

    @Test func `is done after a yes`() async throws {
        let (terminal, command) = try await terminal("countersign admin client remove tv")
        try await terminal.reads(Self.question)
        await terminal.answer("perhaps")
        try await terminal.reads("Please type yes or no.")
        try await terminal.reads(Self.question)
        await terminal.answer("yes")
        let outcome = try await terminal.finish()
        #expect(outcome.status == 0 && outcome.output.contains("Removed the client tv."), "\(outcome.output)")
        #expect(try await command.run("countersign admin client list").output == "No clients yet.\n")
    }

    @Test func `changes nothing after a no`() async throws {
        let (terminal, command) = try await terminal("countersign admin client remove tv")
        try await terminal.reads(Self.question)
        await terminal.answer("no")
        let outcome = try await terminal.finish()
        #expect(outcome.status == 1 && outcome.output.contains("Nothing was changed."), "\(outcome.output)")
        #expect(try await command.run("countersign admin client show tv").status == 0)
    }

    @Test func `asks nothing with --yes, or about what does not exist`() async throws {
        let (terminal, command) = try await terminal("countersign admin client remove tv --yes")
        let outcome = try await terminal.finish()
        #expect(outcome.status == 0 && !outcome.output.contains("Go on?"), "\(outcome.output)")
        let again = try AnsweringTerminal(
            "exec script -qefc 'countersign admin client remove tv' /dev/null", in: command)
        let missing = try await again.finish()
        #expect(missing.status == 1 && missing.output.contains("There is no client tv."), "\(missing.output)")
    }
}

@Suite("A loss")
struct LossTests {
    @Test func `names what goes with it, without what there is none of`() {
        #expect("\(Loss("anna"))" == "Removes anna; this cannot be undone.")
        let anna = Loss("anna").and(3, "device").and(1, "session").and(0, "sign-in")
        #expect("\(anna)" == "Removes anna, 3 devices, 1 session; this cannot be undone.")
        let many = Loss("the client tv").and(Loss.most, "sign-in")
        #expect("\(many)" == "Removes the client tv, 1000 or more sign-ins; this cannot be undone.")
        let device = Loss("the device 7 \"Telefon\"", by: "Revokes")
        #expect("\(device)" == "Revokes the device 7 \"Telefon\"; this cannot be undone.")
        #expect(!device.hasMore && anna.hasMore)
        let role = Loss("the role of anna", by: "Takes", then: "nobody else has it")
        #expect("\(role)" == "Takes the role of anna; nobody else has it.")
    }
}
