import CommandFixture
import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@Suite("A sign-in at another provider that goes on to one here")
struct TokenExchangeCommandTests {
    /// Runs a test at a server whose client `player` exchanges tokens of a fake Twitter.
    private func withServer(_ test: (RunningServer, TwitterProvider) async throws -> Void) async throws {
        let twitter = try await TwitterProvider.start(clock: .system, drawingFrom: .system)
        let server = try await RunningServer.start()
        let added = try await server.command.run(
            """
            countersign admin client add player --grant token-exchange,refresh_token && \
            printf '%s\\n' '\(twitter.app.secret.revealed)' | countersign admin provider add twitter --preset twitter \
            --client-id \(twitter.app.client) --host \(twitter.base) --new-accounts
            """)
        #expect(added.status == 0, "\(added.output)")
        try await test(server, twitter)
        _ = try await server.stop()
        await twitter.stop()
    }

    @Test func `begins with an account of the system`() async throws {
        try await withServer { server, twitter in
            let token = twitter.addAccountToken(TwitterPerson())
            let lines = [
                twitter.system.client.rawValue, twitter.system.secret.revealed, token.token.rawValue,
                token.secret.revealed,
            ]
            let command = server.command
            let added = try await command.run(
                "printf '%s\\n' \(lines.map { "'\($0)'" }.joined(separator: " ")) | countersign account add twitter @anna"
            )
            #expect(added.status == 0, "\(added.output)")
            try Data(twitter.app.secret.revealed.utf8).write(to: command.home.appendingPathComponent("secret"))
            let signIn = """
                printf 'yes\\n1\\n' | countersign signin --account twitter --account-base \(twitter.base) \
                --client \(twitter.app.client) --secret-file secret --issuer \(server.base)
                """
            let both = try await command.run("\(signIn) --exchange-as player --scope 'openid profile' --dpop")
            #expect(both.status == 0, "\(both.output)")
            #expect(both.output.contains("Signed in as Anna Müller 🦉 (@anna"), "\(both.output)")
            #expect(both.output.contains("The tokens are in "), "\(both.output)")
            let kept = try await command.run("countersign token show --issuer \(server.base) --client player --json")
            #expect(kept.output.contains(#""bound" : true"#) && kept.output.contains("Anna Müller"), "\(kept.output)")
            let renewed = try await command.run("countersign token renew --issuer \(server.base) --client player")
            #expect(renewed.status == 0, "\(renewed.output)")
            // A client that may not exchange.
            let refused = try await command.run("\(signIn.replacing("yes\\n1", with: "1")) --exchange-as tv")
            #expect(refused.status == 7, "\(refused.output)")
        }
    }

    @Test func `begins with tokens that are at hand`() async throws {
        try await withServer { server, twitter in
            let token = twitter.issue(TwitterPerson())
            let exchange = "countersign token exchange --issuer \(server.base) --client player --kind oauth1"
            let good = try await server.command.run(exchange, input: "\(token.form.encoded)\n")
            #expect(good.status == 0 && good.output.contains("The tokens are in "), "\(good.output)")
            let wrong = try await server.command.run(exchange, input: "oauth_token=a&oauth_token_secret=b\n")
            #expect(wrong.status == 7, "\(wrong.output)")
            #expect(wrong.output.contains("The server does not accept this sign-in at the other provider."))
            let other = try await server.command.run(
                "countersign token exchange --issuer \(server.base) --client player", input: "a.b.c\n")
            #expect(other.status == 7, "\(other.output)")
        }
    }

    @Test func `gets a nonce of the server`() async throws {
        try await withServer { server, _ in
            let nonce = try await server.command.run(
                "countersign token nonce --issuer \(server.base) --client player --json")
            let text = try #require(nonce.output.firstMatch(of: /"nonce" : "([^"]+)"/)?.1)
            let given = SubjectTokenNonce(revealing: String(text))
            #expect(nonce.output.contains(#""challenge" : "\#(given.challenge)""#), "\(nonce.output)")
            let other = try await server.command.run("countersign token nonce --issuer \(server.base) --client tv")
            #expect(other.status == 7, "\(other.output)")
            #expect(other.output.contains("(The server says: "), "\(other.output)")
        }
    }
}
