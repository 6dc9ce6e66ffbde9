import AsyncHTTPClient
import CommandFixture
import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import NIOCore
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

    /// The lines of JSON that a command printed.
    private func lines(of outcome: CommandUnderTest.Outcome) throws -> [[String: Any]] {
        try outcome.output.split(separator: "\n").filter { $0.hasPrefix("{") }.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test func `asks and tells in lines of JSON`() async throws {
        let twitter = try await TwitterProvider.start(clock: .system, drawingFrom: .system)
        let command = try CommandUnderTest()
        try await add(TwitterPerson(), of: twitter, to: command, "twitter @anna")
        let line = """
            countersign signin --account twitter --client \(twitter.app.client) --account-base \(twitter.base) \
            --secret-file secret --json
            """
        let secret = "printf %s '\(twitter.app.secret.revealed)' > secret && chmod 600 secret"
        let signedIn = try await command.run("\(secret) && printf 'yes\\n1\\n' | \(line) --show-tokens")
        #expect(signedIn.status == 0, "\(signedIn.output)")
        let events = try lines(of: signedIn)
        try #require(events.compactMap { $0["event"] as? String } == ["permission", "choosing", "signed_in"])
        #expect(events[0]["app"] as? String == "countersign" && events[0]["accounts"] as? [String] == ["@anna"])
        #expect(events[1]["accounts"] as? [String] == ["@anna"])
        #expect(events[2]["subject"] as? String == "9007199254740993" && events[2]["username"] as? String == "anna")
        #expect(events[2]["token_secret"] != nil && events[2]["picture"] != nil)
        for answer in ["9", "0", "-1", "-9223372036854775808", "9223372036854775807", ""] {
            let none = try await command.run("printf '%s\\n' '\(answer)' | \(line)")
            let last = try #require(try lines(of: none).last)
            #expect(none.status == 3 && last["event"] as? String == "failed", "\(answer): \(none.output)")
            #expect(last["error"] as? String == "choiceCancelled" && last["next_step"] as? String == "tryAgain")
            #expect(last["access_token"] == nil)
        }
        await twitter.stop()
    }

    @Test func `84 is told once what the app is called, and the picture can be fetched as given`() async throws {
        let graph = try await GraphProvider.start()
        let command = try CommandUnderTest()
        let token = graph.issue(GraphToken(for: graph.app)).revealed
        _ = try await command.run("echo \(token) | countersign account add facebook juergen@example.com")
        let line = "printf 'yes\\nyes\\n' | countersign signin --account facebook --account-base \(graph.base)"
        let unknown = try await command.run(line)
        #expect(unknown.status == 64 && unknown.output.contains("This app is not set up"), "\(unknown.output)")
        let kept = try await command.run("countersign account app facebook \(graph.app)")
        #expect(kept.output == "This command is \(graph.app) at facebook from now on.\n")
        let first = try await command.run(line)
        #expect(first.status == 0, "\(first.output)")
        // The form of the address, and what is found by it.
        let picture = "\(graph.base)/v23.0/10158400000000000/picture?type=large"
        #expect(first.output.contains("Picture: \(picture)\n"), "\(first.output)")
        let answer = try await HTTPClient.shared.execute(HTTPClientRequest(url: picture), timeout: .seconds(60))
        #expect(String(buffer: try await answer.body.collect(upTo: 1 << 16)) == "a picture")
        _ = try await command.run("countersign account app facebook --remove")
        #expect(try await command.run(line).status == 64)
        await graph.stop()
    }

    @Test(arguments: [
        ("", "public_profile"), ("--permissions minimal", "public_profile"),
        ("--permissions extended", "user_birthday, user_location, user_friends, email, public_profile"),
        ("--permissions email,public_profile", "email, public_profile"), ("--permissions ''", nil),
    ])
    func `76 asks for the rights that are named`(option: String, rights: String?) async throws {
        let command = try CommandUnderTest()
        _ = try await command.run("echo EAAG | countersign account add facebook juergen@example.com")
        let outcome = try await command.run(
            "echo no | countersign signin --account facebook --client 1 --account-base http://127.0.0.1:1 \(option)")
        #expect(outcome.status == 3, "\(outcome.output)")
        let wants = rights.map { " It wants: \($0)." } ?? ""
        #expect(outcome.output.hasPrefix("May countersign use juergen@example.com?\(wants) [yes/no] "))
    }

    @Test func `lists accounts, apps and answers as JSON`() async throws {
        let command = try CommandUnderTest()
        _ = try await command.run("echo EAAG | countersign account add facebook juergen@example.com")
        _ = try await command.run("countersign account app facebook 1234")
        _ = try await command.run(
            "echo no | countersign signin --account facebook --client 1234 --account-base http://127.0.0.1:1")
        let outcome = try await command.run("countersign account list --json")
        let list = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        let accounts = try #require(list["accounts"] as? [[String: Any]])
        #expect(accounts.count == 1 && accounts[0]["name"] as? String == "juergen@example.com")
        #expect(accounts[0]["desktop"] as? Bool == false && accounts[0]["signs_in"] as? Bool == true)
        #expect((list["apps"] as? [[String: String]]) == [["provider": "facebook", "client": "1234"]])
        let permissions = try #require(list["permissions"] as? [[String: Any]])
        #expect(permissions.first?["allowed"] as? Bool == false && permissions.first?["app"] as? String == "1234")
        #expect(!outcome.output.contains("EAAG"))
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
