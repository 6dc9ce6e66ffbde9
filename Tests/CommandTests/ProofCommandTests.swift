import CommandFixture
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@Suite("Signing a terminal in by what it holds already", .timeLimit(.minutes(10)))
struct ProofCommandTests {
    @Test func `takes a ticket from a file or standard input, once each, and none of another server`() async throws {
        let site = try await AuthenticatorSite.start()
        let command = site.server.command
        let signin = "countersign signin --issuer \(site.server.base) --client phone --yes --only code --ticket"
        let first = try await ticket(of: site)
        try Data("\(first)\n".utf8).write(to: command.home.appendingPathComponent("ticket"))
        let elsewhere = try await site.run(
            "countersign signin --issuer https://id.example.com --client phone --yes --ticket ticket")
        #expect(elsewhere.status == 64)
        #expect(elsewhere.output.contains("That ticket is of \(site.server.base), not of https://id.example.com."))
        let signedIn = try await site.run("\(signin) ticket")
        #expect(signedIn.status == 0, "\(signedIn.output)")
        #expect(signedIn.output.contains("Signing in with the ticket.\n"))
        #expect(signedIn.output.contains("Signed in as Anna Example."))
        // The client has no other way in.
        let used = try await site.run("\(signin) ticket")
        #expect(used.status == 7, "\(used.output)")

        let second = try await ticket(of: site)
        let piped = try await command.run("\(signin) - --save other", input: "\(second)\n")
        #expect(piped.status == 0 && piped.output.contains("Signed in as Anna Example."), "\(piped.output)")
        let wrong = try await command.run("\(signin) -", input: "no ticket\n")
        #expect(wrong.status == 64 && wrong.output.contains("--ticket has no ticket"), "\(wrong.output)")
        try await site.stop()
    }

    private func ticket(of site: AuthenticatorSite) async throws -> String {
        String(try #require(try await site.pageWithCode().firstMatch(of: /<p class="key"><code>([^<]+)</)).1)
    }

    @Test func `takes a token of another provider, and goes on in the other ways where it is not good`() async throws {
        let twitter = try await TwitterProvider.start(clock: .system, drawingFrom: .system)
        let server = try await RunningServer.start()
        let added = try await server.command.run(
            """
            countersign admin client add player --grant token-exchange,device_code,refresh_token && \
            printf '%s\\n' '\(twitter.app.secret.revealed)' | countersign admin provider add twitter --preset twitter \
            --client-id \(twitter.app.client) --host \(twitter.base) --new-accounts
            """)
        #expect(added.status == 0, "\(added.output)")
        let signin = """
            countersign signin --issuer \(server.base) --client player --yes --only code --token - --token-kind oauth1 --json
            """
        let token = twitter.issue(TwitterPerson())
        let good = try await server.command.run(signin, input: "\(token.form.encoded)\n")
        #expect(good.status == 0, "\(good.output)")
        #expect(good.output.contains(#"{"event":"presenting","proof":"token"}"#), "\(good.output)")
        #expect(good.output.contains(#""event":"signed_in""#) && !good.output.contains("not_granted"))

        let running = try server.command.start(
            "exec \(signin)", input: "oauth_token=a&oauth_token_secret=b\n")
        let shown = try await running.printed { $0.contains(#""event":"invitation""#) }
        #expect(shown.contains(#""error":"subject_token_refused","event":"not_accepted""#), "\(shown)")
        running.signal(SIGINT)
        #expect(try await running.finish().status == 130)

        // The input stays open, for the answer to a later question.
        let open = try server.command.start(
            """
            mkfifo open && { printf 'a.b.c a-nonce\\n'; sleep 60; } >open 2>/dev/null &
            while [ ! -p open ]; do sleep 0.1; done
            exec countersign signin --issuer \(server.base) --client player --only code --token - --json <open
            """)
        let read = try await open.printed { $0.contains(#""event":"invitation""#) }
        #expect(read.contains(#""event":"not_accepted""#), "\(read)")
        open.signal(SIGINT)
        #expect(try await open.finish().status == 130)
        _ = try await server.stop()
        await twitter.stop()
    }
}
