import Foundation
import TestShell
import Testing

/// `PAM/conversations.c` plays the applications and `PAM/hostile-program.py` the program that the module starts.
@Suite(
    "Hostile conversations with the PAM module", .serialized, .timeLimit(.minutes(20)),
    .enabled(if: SignInHost.canBeMade, Comment(rawValue: SignInHost.need)))
struct PAMConversationTests {
    @Test(arguments: [(1000, "plain"), (200, "sanitizers"), (48, "valgrind")])
    func `neither crash nor hang, and succeed in the honest case alone`(count: Int, how: String) async throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Scripts/pam-conversations.sh").path
        let said = try await Shell.run(aside: "\(Shell.word(script)) \(count) 1 \(how) 2>&1 || true")
        #expect(said.hasSuffix("All went as they should."), "\(said)")
    }
}
