import CommandFixture
import Foundation
import Testing

@Suite("A keyring for the key of the tokens")
struct KeyringTests {
    #if SecretService
    @Test func `holds the one key that the first of several processes made`() async throws {
        let outcome = try await run(
            """
            printf pw | gnome-keyring-daemon --unlock --components=secrets --daemonize > /dev/null
            for name in one two three four; do TokenStoreChild seal \(Self.directory) $name & pids="$pids $!"; done
            for pid in $pids; do wait $pid || exit 1; done
            TokenStoreChild unseal \(Self.directory) one two three four
            ls \(Self.directory)
            countersign token list
            """
        )
        #expect(outcome.contains("unsealed one\nunsealed two\nunsealed three\nunsealed four\n"), "\(outcome)")
        #expect(outcome.contains("default.sealed\n"), "\(outcome)")
        #expect(outcome.contains("The key to what is kept on this device is gone."), "\(outcome)")
    }

    @Test func `changes nothing while it is locked`() async throws {
        let outcome = try await run("TokenStoreChild seal \(Self.directory) one; ls \(Self.directory)")
        #expect(outcome.contains("The keyring of this device cannot be used."), "\(outcome)")
        #expect(!outcome.contains("sealed"), "\(outcome)")
    }

    @Test func `is needed before a person is asked or a code is spent`() async throws {
        let ticket = "https://id.example.com/authenticator/enroll#fQ3Zr8m1cX0b7Lw2Yk5T9A"
        let outcome = try await run(
            """
            countersign signin --issuer http://127.0.0.1:9 --client tv --only code --yes --keyring
            countersign authenticator enroll --client phone --keyring '\(ticket)'
            """
        )
        let lines = outcome.split(separator: "\n").filter { $0.hasPrefix("countersign: ") }
        #expect(lines.count == 2, "\(outcome)")
        #expect(lines.allSatisfy { $0.contains("The keyring of this device cannot be used.") }, "\(outcome)")
    }

    /// The directory of the command's tokens.
    private static let directory = "data/countersign/tokens"

    /// Runs lines of shell with a bus and a keyring of their own, which end with them.
    private func run(_ lines: String) async throws -> String {
        let command = try CommandUnderTest()
        try lines.write(to: command.home.appendingPathComponent("lines"), atomically: true, encoding: .utf8)
        let line = "mkdir -m 700 run; XDG_RUNTIME_DIR=$PWD/run exec dbus-run-session -- sh lines"
        return try await command.run(line).output
    }
    #else
    @Test func `is used only by a program that was built for it`() async throws {
        let outcome = try await CommandUnderTest().run("countersign token list --keyring")
        #expect(outcome.status == 64)
        #expect(outcome.output.contains("Build it with the package trait SecretService"))
    }
    #endif
}
