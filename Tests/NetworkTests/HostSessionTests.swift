import CommandFixture
import Testing

@Suite(
    "A session on a host that ends with the sign-out", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: SignInHost.canBeMade, Comment(rawValue: SignInHost.need)))
struct HostSessionTests {
    /// The sign-ins that the account page of a person lists.
    private func grants(of person: PersonAtBrowser) async throws -> Set<String> {
        try await person.open("/account")
        return Set(await person.text.matches(of: /name="grant" value="([^"]+)"/).map { String($0.1) })
    }

    @Test func `ends when the person signs it out on their account, and no other session does`() async throws {
        try await SignInHost.with(#"{"sshd": {"ends-with-signout": true}}"#) { host in
            let anna = PersonAtBrowser(at: host.fixture.server.base)
            try await anna.signIn()
            #expect(try await grants(of: anna).isEmpty)
            let one = try await host.session("sleep 3600")
            let grant = try #require(try await grants(of: anna).first)
            let other = try await host.session("read word; echo I read \\$word")
            #expect(try await grants(of: anna).subtracting([grant]).count == 1)

            try await anna.submit("/account/sign-out", ["grant": grant])
            let ended = try await one.finish()
            #expect(ended.status == 255, "\(ended.output)")
            try await host.hasSessions(1)
            await other.answer("this")
            let outcome = try await other.finish()
            #expect(outcome.status == 0 && outcome.output.contains("I read this"), "\(outcome.output)")
            try await host.hasSessions(0)
            #expect(try await grants(of: anna).isEmpty)
        }
    }

    @Test func `ends when the person leaves the groups of its rule`() async throws {
        try await SignInHost.with(#"{"sshd": {"ends-with-signout": true, "groups": ["admins", "staff"]}}"#) { host in
            let server = host.fixture.server
            for group in ["admins", "staff"] {
                _ = try await server.administer("group add \(group)")
                _ = try await server.administer("group member add \(group) anna")
            }
            let ssh = try await host.session("read word; echo I read \\$word; sleep 3600")
            // One of the groups is enough.
            _ = try await server.administer("group member remove admins anna")
            await ssh.answer("this")
            try await ssh.reads("I read this")
            _ = try await server.administer("group member remove staff anna")
            let ended = try await ssh.finish()
            #expect(ended.status == 255, "\(ended.output)")
            try await host.hasSessions(0)

            let again = try host.ssh("anna", "echo I am in")
            _ = try await host.answer("approve", number: try await again.readsNumber())
            await again.answer("")
            let refused = try await again.finish()
            #expect(refused.status == 255 && !refused.output.contains("I am in"), "\(refused.output)")
            try await host.hasSessions(0)
        }
    }

    @Test func `ends when the person is locked, who is let in no more`() async throws {
        try await SignInHost.with(#"{"sshd": {"ends-with-signout": true}}"#) { host in
            let ssh = try await host.session("sleep 3600")
            _ = try await host.fixture.server.administer("user lock anna")
            let ended = try await ssh.finish()
            #expect(ended.status == 255, "\(ended.output)")

            try host.rule(#"{"sshd": {"timeout": 5}}"#)
            let again = try host.ssh("anna", "echo I am in")
            await again.answer("")
            let outcome = try await again.finish()
            #expect(outcome.status == 255 && !outcome.output.contains("I am in"), "\(outcome.output)")
        }
    }

    @Test func `ends where its watch is stopped`() async throws {
        try await SignInHost.with(#"{"sshd": {"ends-with-signout": true}}"#) { host in
            let ssh = try await host.session("sleep 3600")
            try await host.hasSessions(1)
            // The host has processes of its own alone.
            _ = try await host.inside("kill $(pgrep --full '[p]am watch')")
            #expect(try await ssh.finish().status == 255)
            try await host.hasSessions(0)
        }
    }

    @Test func `ends at the console of login, too`() async throws {
        try await SignInHost.with(#"{"login": {"ends-with-signout": true}}"#) { host in
            let console = try host.login()
            try await console.reads("login: ")
            await console.answer("anna")
            _ = try await host.answer("approve", number: try await console.readsNumber())
            try await console.reads("$ ")
            await console.answer("echo I am $(id -un)")
            try await console.reads("I am anna")
            try await host.hasSessions(1)

            let anna = PersonAtBrowser(at: host.fixture.server.base)
            try await anna.signIn()
            let grant = try #require(try await grants(of: anna).first)
            try await anna.submit("/account/sign-out", ["grant": grant])
            let ended = try await console.finish()
            #expect(ended.status != 0, "\(ended.output)")
            try await host.hasSessions(0)
        }
    }
}
