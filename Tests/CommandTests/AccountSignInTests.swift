import CommandFixture
import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@Suite("Signing in with an account that was added by hand")
struct AccountSignInTests {
    /// Runs a sign-in of the app at a provider, in a home with accounts, and answers its questions.
    private func signIn(
        _ account: String,
        as app: ClientID,
        secret: String? = nil,
        at base: String,
        answering answers: String,
        in command: CommandUnderTest
    ) async throws -> CommandUnderTest.Outcome {
        let file = command.home.appendingPathComponent("secret")
        if let secret {
            try Data(secret.utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        }
        return try await command.run(
            """
            printf '\(answers)' | countersign signin --account \(account) --client \(app) --account-base \(base) \
            --show-tokens \(secret == nil ? "" : "--secret-file secret")
            """)
    }

    /// Adds an account of Anna, which signs by OAuth 1, to a home.
    private func add(
        _ person: TwitterPerson,
        of twitter: TwitterProvider,
        to command: CommandUnderTest,
        _ words: String
    ) async throws {
        let token = twitter.addAccountToken(person)
        let lines = [
            twitter.system.client.rawValue, twitter.system.secret.revealed, token.token.rawValue,
            token.secret.revealed,
        ]
        let added = try await command.run(
            "printf '%s\\n' \(lines.map { "'\($0)'" }.joined(separator: " ")) | countersign account add \(words)")
        #expect(added.status == 0, "\(added.output)")
    }

    @Test(arguments: [("twitter", "twitter"), ("recipes", "recipes --kind oauth1")])
    func `signs in at a provider of OAuth 1, with the account that the person chooses`(
        provider: String,
        adding words: String
    ) async throws {
        let twitter = try await TwitterProvider.start(clock: .system, drawingFrom: .system)
        let command = try CommandUnderTest()
        var berta = TwitterPerson()
        (berta.id, berta.name, berta.screenName) = ("9007199254740995", "Berta", "berta")
        berta.email = .absent
        let kind = words.dropFirst(provider.count)
        try await add(TwitterPerson(), of: twitter, to: command, "\(provider) @anna\(kind)")
        try await add(berta, of: twitter, to: command, "\(provider) @berta\(kind)")
        let secret = twitter.app.secret.revealed
        let first = try await signIn(
            provider, as: twitter.app.client, secret: secret, at: twitter.base, answering: "yes\\n2\\n", in: command)
        #expect(first.status == 0, "\(first.output)")
        #expect(first.output.contains("May countersign use @anna, @berta? [yes/no]"), "\(first.output)")
        #expect(first.output.contains("1  @anna\n2  @berta\n"), "\(first.output)")
        #expect(first.output.contains("Signed in as Berta (@berta, id 9007199254740995)."), "\(first.output)")
        #expect(first.output.contains("Key: 9007199254740995-") && first.output.contains("Secret: "), "\(first.output)")
        // The question for permission is not asked again.
        let second = try await signIn(
            provider, as: twitter.app.client, secret: secret, at: twitter.base, answering: "1\\n", in: command)
        #expect(!second.output.contains("May countersign"), "\(second.output)")
        let known = "Signed in as Anna Müller 🦉 (@anna, anna@example.com, id 9007199254740993)."
        #expect(second.status == 0 && second.output.contains(known), "\(second.output)")
        #expect(twitter.forged.isEmpty)
        let none = try await signIn(
            provider, as: twitter.app.client, secret: secret, at: twitter.base, answering: "\\n", in: command)
        #expect(none.status == 3 && none.output.contains("No account was chosen."), "\(none.output)")
        // A wrong secret is the provider's to refuse.
        let wrong = try await signIn(
            provider, as: twitter.app.client, secret: "wrong", at: twitter.base, answering: "1\\n", in: command)
        #expect(wrong.status == 7 && wrong.output.contains("The provider did not accept it."), "\(wrong.output)")
        await twitter.stop()
    }

    @Test func `does not go with lines of JSON, which its questions would break`() async throws {
        let command = try CommandUnderTest()
        let outcome = try await command.run("countersign signin --account twitter --client app --json")
        #expect(outcome.status == 64 && outcome.output.contains("--json does not go with --account"))
    }

    @Test(arguments: [("facebook", ""), ("friends", " --kind bearer")])
    func `signs in at a provider of the social-graph kind, when the person confirms the account`(
        provider: String,
        kind: String
    ) async throws {
        let graph = try await GraphProvider.start()
        let command = try CommandUnderTest()
        let token = graph.issue(GraphToken(for: graph.app)).revealed
        let added = try await command.run(
            "echo \(token) | countersign account add \(provider) juergen@example.com\(kind)")
        #expect(added.status == 0, "\(added.output)")
        let first = try await signIn(
            provider, as: graph.app, at: graph.base, answering: "yes\\nyes\\n", in: command)
        #expect(first.status == 0, "\(first.output)")
        #expect(first.output.contains("It wants: public_profile."), "\(first.output)")
        #expect(first.output.contains("Continue as juergen@example.com?"), "\(first.output)")
        let known = "Signed in as Jürgen Łukasz 山田 (juergen@example.com, id 10158400000000000)."
        #expect(first.output.contains(known) && first.output.contains("Token: \(token)"), "\(first.output)")
        graph.refuse(with: [GraphRefusal(190, 460)])
        let signedOut = try await signIn(provider, as: graph.app, at: graph.base, answering: "yes\\n", in: command)
        #expect(signedOut.status == 7 && signedOut.output.contains("The account is signed out."), "\(signedOut.output)")
        graph.refuse(with: [GraphRefusal(4)])
        let later = try await signIn(provider, as: graph.app, at: graph.base, answering: "yes\\n", in: command)
        #expect(later.output.contains("Try again in a few minutes."), "\(later.output)")
        await graph.stop()
    }
}
