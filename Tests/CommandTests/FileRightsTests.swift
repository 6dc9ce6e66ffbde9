import CommandFixture
import Foundation
import Testing

/// Root may read and write everything.
@Suite("A file that the user may not use", .enabled(if: geteuid() != 0, "needs a user with limited rights"))
struct FileRightsTests {
    @Test func `is named with the user who cannot read it`() async throws {
        let outcome = try await CommandUnderTest().run(
            "touch people.csv && chmod 0 people.csv && countersign admin user import people.csv --dry-run")
        let words = """
            countersign: The file people.csv cannot be read by the user \(NSUserName()). \
            Give it on standard input: - < people.csv

            """
        #expect(outcome.status == 1 && outcome.output == words, "\(outcome.output)")
    }

    @Test func `is named with the user who cannot make it`() async throws {
        let command = try CommandUnderTest()
        _ = try await command.run("countersign admin client add tv && mkdir -m 500 closed")
        let outcome = try await command.run("countersign admin backup closed/copy.sqlite")
        let words = """
            countersign: The copy closed/copy.sqlite could not be made (Permission denied). \
            The user \(NSUserName()) makes it: name a directory that this user may write.

            """
        #expect(outcome.status == 1 && outcome.output == words, "\(outcome.output)")
    }
}
