import CommandFixture
import Foundation
import Testing

/// Only root can give files away, and only these tests run as root.
@Suite("The key of the audit, where root calls the command")
struct AuditKeyOfRootTests {
    @Test(.enabled(if: geteuid() == 0, "needs root, who can give files away"))
    func `is not made by root where the server could not read it`() async throws {
        let command = try CommandUnderTest()
        _ = try await command.run("countersign admin client add tv && chown -R 1234 data/countersign")
        let refused = try await command.run("countersign admin audit seal")
        #expect(refused.status == 1)
        #expect(refused.output.contains("sudo -u '#1234' countersign admin audit seal"), "\(refused.output)")
        #expect(try await command.run("test -e data/countersign/audit-key.pem").status == 1)

        _ = try await command.run(
            "chown 0 data/countersign && countersign admin audit seal && chown 1234 data/countersign")
        let doctor = try await command.run("countersign doctor --listen 127.0.0.1:0 | grep -A1 audit:")
        #expect(doctor.output.contains("chown 1234 "), "\(doctor.output)")
    }
}
