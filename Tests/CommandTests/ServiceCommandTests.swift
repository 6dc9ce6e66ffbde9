import CommandFixture
import Countersign
import Foundation
import Testing

@testable import CountersignCommand
@testable import CountersignRequester

@Suite("A program that signs in as a service")
struct ServiceCommandTests {
    private static let line = "countersign signin --as-service 'backup on nas'"

    @Test func `keeps its tokens apart, under its purpose, and says until when they work`() async throws {
        let server = try await RunningServer.start()
        let command = server.command
        let signin = try command.start("exec \(server.signInLine) --yes --as-service 'backup on nas' --until tomorrow")
        let code = try await signin.shownCode()
        let person = PersonAtBrowser(at: server.base)
        try await person.signIn()
        try await person.open("/activate")
        try await person.submit("/activate", ["user_code": code])
        #expect(await person.text.contains("backup on nas"))
        try await person.submit("/activate/decision", ["user_code": code, "decision": "approve", "session": "8h"])
        let outcome = try await signin.finish()
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains("Signed in as Anna Example (anna), until "))

        #expect(try await command.run("countersign token list").output.contains("tv backup on nas"))
        let unnamed = try await command.run("countersign token show")
        #expect(unnamed.status == 64 && unnamed.output.contains("--service 'backup on nas'"), "\(unnamed.output)")
        let shown = try await command.run("countersign token show --service 'backup on nas'")
        #expect(shown.status == 0 && shown.output.contains("Person: Anna Example (anna)\nEnds by itself: "))
        // It is the service's token, also where server and client are named.
        let printed = try await command.run(
            "countersign token print --issuer \(server.base) --client tv --service 'backup on nas'")
        #expect(printed.status == 0 && !printed.output.contains(" "), "\(printed.output)")
        let renewed = try await command.run("countersign token renew --service 'backup on nas'")
        #expect(renewed.status == 0 && renewed.output.hasPrefix("Renewed.\n"), "\(renewed.output)")

        try await person.open("/account")
        #expect(await person.text.contains("Services that act for you"))
        #expect(await person.text.contains("No screen is signed in as you."))
        let grant = try #require(await person.text.firstMatch(of: /name="grant" value="([^"]+)"/)).1
        try await person.submit("/account/sign-out", ["grant": String(grant)])
        #expect(await person.text.contains("That service can no longer act for you."))
        let refused = try await command.run("countersign token renew --service 'backup on nas'")
        #expect(refused.status == 7, "\(refused.output)")
        #expect(refused.output == "countersign: The service was ended. Sign in again if it is still needed.\n")
        _ = try await server.stop()
    }

    @Test func `says since when its time is over, and can still be discarded`() async throws {
        let command = try CommandUnderTest()
        // Nothing answers there.
        let issuer = try Issuer("http://127.0.0.1:1")
        let store = Self.store(of: command)
        let signedIn = CompletedSignIn(
            accessToken: AccessToken(revealing: "access"), refreshToken: RefreshToken(revealing: "refresh"),
            expires: nil, scope: Scope([.openid]), identity: nil)
        let end = Date(timeIntervalSince1970: 1_700_000_000)
        try await store.save(
            signedIn.received(at: end, with: nil, ending: end),
            for: TokenStoreKey(.service, issuer.text, "tv", "backup on nas"))
        let shown = try await command.run("countersign token show --service 'backup on nas'")
        #expect(shown.status == 0 && shown.output.contains("Ends by itself: 2023-11-14T22:13:20Z"), "\(shown.output)")
        let named = "print --issuer \(issuer.text) --client tv"
        for line in ["renew", "header https://api.example.com/", "print", named] {
            let over = try await command.run("countersign token \(line) --service 'backup on nas'")
            #expect(over.status == 7, "\(over.output)")
            #expect(
                over.output.contains("Its time is over since 2023-11-14T22:13:20Z. Sign in again."), "\(over.output)")
        }
        let unknown = try await command.run("countersign token print --service backup")
        #expect(unknown.status == 1 && unknown.output.contains("There is no such service here."), "\(unknown.output)")
        #expect(unknown.output.contains("--service 'backup on nas'"), "\(unknown.output)")
        let discarded = try await command.run("countersign token discard --service 'backup on nas'")
        #expect(discarded.status == 0 && discarded.output.contains("The server did not end the tokens"))
        #expect(try await command.run("countersign token list").output == "No tokens are stored here.\n")
    }

    @Test(arguments: ["token discard", "signout"])
    func `is ended at the server, too, when its time is over by the clock here alone`(line: String) async throws {
        let server = try await RunningServer.start()
        let command = server.command
        let signin = try command.start("exec \(server.signInLine) --yes --as-service 'backup on nas' --until 8h")
        let person = PersonAtBrowser(at: server.base)
        try await person.decide(
            "approve", on: try await signin.shownCode(), as: "anna", password: RunningServer.password)
        #expect(try await signin.finish().status == 0)
        let key = TokenStoreKey(.service, try Issuer(server.base).text, "tv", "backup on nas")
        let store = Self.store(of: command)
        let kept = try #require(try await store.signedIn(for: key))
        let past = Date(timeIntervalSince1970: 1_700_000_000)
        try await store.save(kept.received(at: past, with: nil, ending: past), for: key)
        let outcome = try await command.run("countersign \(line) --service 'backup on nas' --json")
        #expect(outcome.status == 0 && outcome.output.contains("\"revoked\" : true"), "\(outcome.output)")
        try await person.open("/account")
        #expect(await !person.text.contains("Services that act for you"))
        _ = try await server.stop()
    }

    /// The store of the commands that run in the home of a test.
    private static func store(of command: CommandUnderTest) -> SealedFileTokenStore {
        SealedFileTokenStore(directory: command.home.appendingPathComponent("data/countersign/tokens").path)
    }

    @Test(arguments: [
        ("--issuer http://127.0.0.1:1 --client tv", "--as-service takes --until: a service always ends"),
        ("--issuer http://127.0.0.1:1 --client tv --until soon", "--until takes tomorrow, a span such as 8h or 7d"),
        ("--issuer http://127.0.0.1:1 --client tv --until 2001-01-01T00:00Z", "The end 2001-01-01T00:00:00Z is over."),
        ("--issuer http://127.0.0.1:1 --client tv --as anna --until 8h", "do not go with --as-service and --until."),
        ("--cpa http://127.0.0.1:1 --domain a.example --until 8h", "do not go with --as-service and --until."),
    ])
    func `is refused without an end, and with what does not go with it`(options: String, reason: String) async throws {
        let outcome = try await CommandUnderTest().run("\(Self.line) \(options)")
        #expect(outcome.status == 64 && outcome.output.contains(reason), "\(outcome.output)")
    }

    @Test func `is named for an end`() async throws {
        let outcome = try await CommandUnderTest().run(
            "countersign signin --issuer http://127.0.0.1:1 --client tv --until 8h")
        #expect(outcome.status == 64)
        #expect(outcome.output.contains("--until goes with --as-service, which is missing."), "\(outcome.output)")
    }

    private static let now = Date(timeIntervalSince1970: 1_796_040_000)

    @Test(arguments: [
        ("tomorrow", 1_796_126_400.0), ("8h", 1_796_068_800), ("90s", 1_796_040_090), ("7d", 1_796_644_800),
        ("2026-12-01T10:00Z", 1_796_119_200), ("2026-12-01T10:00:30Z", 1_796_119_230),
        ("2026-12-01T10:00+02:00", 1_796_112_000), ("2026-12-01T10:00-00:30", 1_796_121_000),
    ])
    func `reads its end in each form`(text: String, seconds: Double) {
        #expect(ServiceOptions.end(parsing: text, at: Self.now) == Date(timeIntervalSince1970: seconds))
    }

    @Test(arguments: [
        "", "Tomorrow", "8", "h", "2026-12-01", "2026-12-01T10:00", "2026-13-01T10:00Z", "2026-02-31T10:00Z",
        "2026-12-01T24:00Z", "2026-12-01T10:00+25:00",
        "٢026-12-01T10:00Z",
    ])
    func `takes no other text for its end`(text: String) {
        #expect(ServiceOptions.end(parsing: text, at: Self.now) == nil)
    }
}
