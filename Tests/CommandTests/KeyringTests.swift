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
            \(Self.earlierSignIn)
            for number in 1 2 3 4; do countersign token list --keyring > list$number & pids="$pids $!"; done
            for pid in $pids; do wait $pid || exit 1; done
            cat list?; ls data/countersign/tokens
            countersign token show --keyring --show-tokens
            countersign token list
            """
        )
        #expect(outcome.components(separatedBy: "sign-in  https://id.example.com").count == 5, "\(outcome)")
        #expect(outcome.contains("\ndefault.sealed\nsign-in at https://id.example.com for tv\n"))
        #expect(outcome.contains("Access token: secret-1"))
        #expect(outcome.contains("The key to what is kept on this device is gone."))
    }

    @Test func `changes nothing while it is locked`() async throws {
        let look = "countersign token list --keyring; ls data/countersign/tokens"
        let outcome = try await run("\(Self.earlierSignIn)\n\(look)")
        #expect(outcome.contains("The keyring of this device cannot be used."), "\(outcome)")
        #expect(outcome.hasSuffix("\nL7fgLPrxUP2RiCfFHtX7jYNY.json\n"))
    }

    /// A sign-in that an earlier version kept: somebody who comes first has to make a key for it.
    private static let earlierSignIn = """
        mkdir -p data/countersign/tokens
        printf '{"issuer":"https://id.example.com","client":"tv","accessToken":"secret-1","scope":"openid"}' \\
        > data/countersign/tokens/L7fgLPrxUP2RiCfFHtX7jYNY.json
        """

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
        #expect(outcome.output.contains("Build it with --traits SecretService"))
    }
    #endif
}
