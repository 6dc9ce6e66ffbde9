import Foundation
import TestShell
import Testing

/// `PAM/conversations.c` plays the applications and `PAM/hostile-program.py` the program that the module starts. With
/// COUNTERSIGN_TEST_CONVERSATIONS so many hostile ones are played in each way, such as 1000.
@Suite(
    "Hostile conversations with the PAM module", .serialized, .timeLimit(.minutes(60)),
    .enabled(if: SignInHost.canBeMade, Comment(rawValue: SignInHost.need)))
struct PAMConversationTests {
    private static let wished = ProcessInfo.processInfo.environment["COUNTERSIGN_TEST_CONVERSATIONS"].flatMap {
        Int($0)
    }

    @Test(arguments: [(wished ?? 1000, "plain"), (wished ?? 200, "sanitizers"), (wished ?? 48, "valgrind")])
    func `neither crash nor hang, and succeed in the honest case alone`(count: Int, how: String) async throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Scripts/pam-conversations.sh").path
        let said = try await Shell.run(aside: "\(Shell.word(script)) \(count) 1 \(how) 2>&1 || true")
        #expect(said.hasSuffix("All went as they should."), "\(said)")
    }
}
