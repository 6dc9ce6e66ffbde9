import CommandFixture
import Foundation
import Testing

@Suite(
    "A host that asks by its PAM module", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: SignInHost.canBeMade, Comment(rawValue: SignInHost.need)))
struct HostSignInTests {
    private static let anna = 3001

    @Test func `lets a person in over ssh, sudo and su once they approve with the number`() async throws {
        try await SignInHost.with(#"{"sshd": {"evidence": ["number"]}, "sudo": {}, "su": {"asks": "caller"}}"#) {
            host in
            let ssh = try host.ssh("anna", "echo I am \\$(id -un)")
            let approved = try await host.answer("approve", number: try await ssh.readsNumber())
            #expect(approved.status == 0, "\(approved.output)")
            // OpenSSH shows no text without a prompt: Enter is the only key.
            await ssh.answer("")
            let session = try await ssh.finish()
            #expect(session.status == 0 && session.output.contains("I am anna"), "\(session.output)")

            for line in ["sudo id -un", "su -c 'id -un'"] {
                let terminal = try host.run(line, as: Self.anna)
                let approved = try await host.answer("approve", number: try await terminal.readsNumber())
                #expect(approved.status == 0, "\(approved.output)")
                let outcome = try await terminal.finish()
                #expect(outcome.status == 0 && outcome.output.contains("root"), "\(outcome.output)")
            }
        }
    }

    @Test func `lets nobody in whom the person denies, and nobody else's approval counts`() async throws {
        try await SignInHost.with(#"{"sshd": {}, "sudo": {"groups": ["admins"]}}"#) { host in
            let ssh = try host.ssh("anna", "echo I am \\$(id -un)")
            _ = try await ssh.readsNumber()
            #expect(try await host.answer("deny").status == 0)
            await ssh.answer("")
            let refused = try await ssh.finish()
            #expect(refused.status == 255 && !refused.output.contains("I am"), "\(refused.output)")

            // She approves, and is in none of the groups; then she is.
            _ = try await host.fixture.server.administer("group add admins")
            for isMember in [false, true] {
                let sudo = try host.run("sudo id -un", as: Self.anna)
                _ = try await host.answer("approve", number: try await sudo.readsNumber())
                let outcome = try await sudo.finish()
                #expect((outcome.status == 0) == isMember, "\(outcome.output)")
                _ = try await host.fixture.server.administer("group member add admins anna")
            }

            try host.rule(#"{"sshd": {"ways": ["code"]}}"#)
            for (person, isAnna) in [("ben", false), ("anna", true)] {
                let ssh = try host.ssh("anna", "echo I am \\$(id -un)")
                let shown = try await ssh.reads("then press Enter: ")
                let code = try #require(shown.firstMatch(of: /The code is ([A-Z]{4}-[A-Z]{4})/), "\(shown)").1
                let browser = PersonAtBrowser(at: host.fixture.server.base)
                try await browser.decide(
                    "approve", on: String(code), as: person, password: RunningServer.password)
                await ssh.answer("")
                let outcome = try await ssh.finish()
                #expect(outcome.output.contains("I am anna") == isAnna, "\(person): \(outcome.output)")
            }
        }
    }

    @Test func `leaves the password to users and services without a person`() async throws {
        try await SignInHost.with(#"{"sshd": {"unknown": "stack"}}"#) { host in
            // A person whom the server does not know, and a service without a rule.
            _ = try await host.fixture.server.administer("user remove ben --yes")
            try await hasPassword(try host.ssh("ben", "echo I am \\$(id -un)"), saying: "I am ben")
            try await hasPassword(try host.run("su ben -c 'echo I am ben'", as: Self.anna), saying: "I am ben")
            let wrong = try host.ssh("ben", "echo I am \\$(id -un)")
            try await wrong.reads("assword: ")
            await wrong.answer("guessed")
            #expect(try await wrong.finish().status == 255)
        }
    }

    @Test func `falls back to the password where the server is away, and denies where it must not`() async throws {
        try await SignInHost.with(#"{"sshd": {}, "sudo": {"fallback": "deny"}}"#) { host in
            _ = try await host.fixture.server.stop()
            try await hasPassword(try host.ssh("anna", "echo I am \\$(id -un)"), saying: "I am anna")
            let denied = try await host.run("sudo id -un", as: Self.anna).finish()
            #expect(denied.status == 1 && !denied.output.contains("assword: "), "\(denied.output)")
        }
    }

    @Test func `ends the session of a person who is locked, and lets them in no more`() async throws {
        try await SignInHost.with(#"{"sshd": {"ends-with-signout": true}}"#) { host in
            let ssh = try host.ssh("anna", "echo I am in; sleep 3600")
            _ = try await host.answer("approve", number: try await ssh.readsNumber())
            await ssh.answer("")
            try await ssh.reads("I am in")
            _ = try await host.fixture.server.administer("user lock anna")
            let ended = try await ssh.finish()
            #expect(ended.status == 255, "\(ended.output)")

            try host.rule(#"{"sshd": {"timeout": 5}}"#)
            let again = try host.ssh("anna", "echo I am in")
            await again.answer("")
            let outcome = try await again.finish()
            #expect(!outcome.output.contains("I am in"), "\(outcome.output)")
        }
    }

    /// The person is asked for the local password, and it counts.
    private func hasPassword(_ terminal: AnsweringTerminal, saying words: String) async throws {
        try await terminal.reads("assword: ")
        await terminal.answer("local")
        let outcome = try await terminal.finish()
        #expect(outcome.status == 0 && outcome.output.contains(words), "\(outcome.output)")
    }
}
