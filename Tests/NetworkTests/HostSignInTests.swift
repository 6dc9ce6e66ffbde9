import CommandFixture
import Foundation
import Testing

@Suite(
    "A host that asks by its PAM module", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: SignInHost.canBeMade, Comment(rawValue: SignInHost.need)))
struct HostSignInTests {
    private static let anna = 3001

    @Test func `lets a person in over ssh, sudo and su once they approve with the number`() async throws {
        try await SignInHost.with(
            #"{"sshd": {"evidence": ["number"]}, "sudo": {}, "su": {"asks": "caller", "groups": ["admins"]}}"#
        ) { host in
            _ = try await host.fixture.server.administer("group add admins")
            _ = try await host.fixture.server.administer("group member add admins anna")
            let ssh = try host.ssh("anna", "echo I am \\$(id -un)")
            let approved = try await host.answer("approve", number: try await ssh.readsNumber())
            #expect(approved.status == 0, "\(approved.output)")
            // OpenSSH shows no text without a prompt: Enter is the only key.
            await ssh.answer("")
            let session = try await ssh.finish()
            #expect(session.status == 0 && session.output.contains("I am anna"), "\(session.output)")

            // Login shells ask by services of their own, sudo-i and su-l.
            for line in ["sudo id -un", "su -c 'id -un'", "sudo -i id -un", "su - -c 'id -un'"] {
                let terminal = try host.run(line, as: Self.anna)
                let approved = try await host.answer("approve", number: try await terminal.readsNumber())
                #expect(approved.status == 0, "\(approved.output)")
                let outcome = try await terminal.finish()
                #expect(outcome.status == 0 && outcome.output.contains("root"), "\(outcome.output)")
            }

            // The caller's name of another host is that host's word.
            let afar = try await host.pamtester("-I rhost=192.0.2.7 -I ruser=anna su root authenticate").finish()
            #expect(afar.status == 1 && afar.output.contains("pamtester: "), "\(afar.output)")
            #expect(!afar.output.contains("this number there") && !afar.output.contains("assword: "), "\(afar.output)")
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
                try await host.approve(try await ssh.showsCode(), as: person)
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

    @Test func `leaves sudo and su to the password, and refuses ssh, where its configuration has mistakes`()
        async throws
    {
        try await SignInHost.with(#"{"sshd": {}, "sudo": {"fallback": "deny"}}, "sevrices": {}"#) { host in
            try await hasPassword(try host.run("sudo -p 'My password: ' id -un", as: Self.anna), saying: "root")
            try await hasPassword(try host.run("su ben -c 'echo I am ben'", as: Self.anna), saying: "I am ben")
            let ssh = try await host.ssh("anna", "echo I am in").finish()
            #expect(ssh.status == 255 && !ssh.output.contains("assword: "), "\(ssh.output)")
        }
    }

    @Test func `answers alike for users who do not exist and those without a person`() async throws {
        try await SignInHost.with(#"{"sshd": {}}"#) { host in
            _ = try await host.fixture.server.administer("user remove ben --yes")
            var refusals: [String] = []
            for name in ["ben", "nemo"] {
                let outcome = try await host.ssh(name, "echo I am in").finish()
                #expect(outcome.status == 255 && !outcome.output.contains("assword: "), "\(outcome.output)")
                refusals.append(outcome.output.replacing(name, with: "NAME"))
            }
            #expect(refusals[0] == refusals[1])

            // Where nobody is asked by name, both are shown a code, which is good for nothing.
            try host.rule(#"{"sshd": {"ways": ["code"], "timeout": 5, "qr-code": false}}"#)
            for name in ["ben", "nemo"] {
                let ssh = try host.ssh(name, "echo I am in")
                try await ssh.reads("then press Enter: ")
                await ssh.answer("")
                let outcome = try await ssh.finish()
                #expect(outcome.status == 255 && !outcome.output.contains("assword: "), "\(outcome.output)")
            }
        }
    }

    @Test func `answers pamtester, and keeps tokens only as long as a session lasts`() async throws {
        try await SignInHost.with(#"{"door": {"ends-with-signout": true}, "gate": {"fallback": "deny"}}"#) { host in
            let whole = try host.pamtester("door anna authenticate open_session close_session")
            _ = try await host.answer("approve", number: try await whole.readsNumber())
            let session = try await whole.finish()
            #expect(session.status == 0 && session.output.contains("successfully authenticated"), "\(session.output)")
            #expect(session.output.contains("opened a session"), "\(session.output)")
            #expect(session.output.contains("successfully been closed"), "\(session.output)")
            try await host.hasSessions(0)

            // An attempt that opens no session leaves its tokens to the next one, which ends them.
            for (answer, status) in [("approve", 0), ("deny", 1)] as [(String, Int32)] {
                let attempt = try host.pamtester("door anna authenticate")
                _ = try await host.answer(answer, number: try await attempt.readsNumber())
                #expect(try await attempt.finish().status == status)
                try await host.hasSessions(answer == "approve" ? 1 : 0)
            }

            // A service without a rule, also where the secret cannot be read.
            let words = "attic anna authenticate"
            try await hasPassword(try host.pamtester(words), saying: "successfully authenticated")
            let locker = try host.run("pamtester \(words)", as: Self.anna)
            try await hasPassword(locker, saying: "successfully authenticated")
            try host.loseSecret()
            try await hasPassword(try host.pamtester(words), saying: "successfully authenticated")
            let broken = try await host.pamtester("door anna authenticate").finish()
            #expect(broken.status == 1 && !broken.output.contains("assword: "), "\(broken.output)")

            try host.rule(#"{"door": {}, "gate": {"fallback": "deny"}}"#)
            _ = try await host.fixture.server.stop()
            try await hasPassword(try host.pamtester("door anna authenticate"), saying: "successfully authenticated")
            let denied = try await host.pamtester("gate anna authenticate").finish()
            #expect(denied.status == 1 && !denied.output.contains("assword: "), "\(denied.output)")
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

    @Test func `prints how long the way from approval to shell takes`() async throws {
        try await SignInHost.with(#"{"sshd": {"evidence": ["number"]}}"#) { host in
            var milliseconds: [Int] = []
            for _ in 0..<10 {
                let ssh = try host.ssh("anna", "date +%s%N")
                let number = try await ssh.readsNumber()
                // Pressed before, so that the approval alone is waited for.
                await ssh.answer("")
                let approved = try await host.phone.home.run(
                    "countersign approve --answer approve --number \(number); date +%s%N")
                let session = try await ssh.finish()
                let instants = try [approved, session].map { outcome in
                    try #require(outcome.output.matches(of: /\d{19}/).last.flatMap { Int($0.0) }, "\(outcome.output)")
                }
                milliseconds.append((instants[1] - instants[0]) / 1_000_000)
            }
            milliseconds.sort()
            print("From approval to shell: \(milliseconds[5]) ms in the median, of \(milliseconds)")
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
