import CommandFixture
import Countersign
import Foundation
import Testing

@testable import CountersignRequester

@Suite("The tokens that a terminal keeps")
struct TokenCommandTests {
    @Test func `are listed, shown, renewed and discarded`() async throws {
        let server = try await RunningServer.start()
        try await Self.signIn(at: server)
        let (command, base) = (server.command, server.base)

        let listed = try await command.run("countersign token list").output
        #expect(listed.contains("sign-in  \(base)  tv   Anna Example (anna)"))
        let shown = try await command.run("countersign token show").output
        #expect(
            shown.contains(
                "sign-in at \(base) for tv\nPerson: Anna Example (anna)\nHere: current\nScope: openid profile\n"))
        #expect(shown.contains("Can be renewed: yes"))
        #expect(!shown.contains("oken:"))

        let before = try await Self.tokens(of: command)
        let renewed = try await command.run("countersign token renew")
        #expect(renewed.status == 0 && renewed.output.hasPrefix("Renewed.\n"), "\(renewed.output)")
        let after = try await Self.tokens(of: command)
        #expect(before.access != after.access && before.refresh != after.refresh)
        // Nothing of it lies about in the clear.
        for token in [before.access, after.access, after.refresh] {
            #expect(try await command.run("grep -rF -e '\(token)' data").status == 1)
        }

        let discarded = try await command.run("countersign token discard --json").output
        #expect(discarded.contains("\"revoked\" : true"))
        #expect(try await command.run("countersign token list").output == "No tokens are stored here.\n")
        let person = PersonAtBrowser(at: base)
        try await person.open("/login")
        try await person.submit("/login", ["username": "anna", "password": RunningServer.password])
        #expect(await person.text.contains("No screen is signed in as you."))
        _ = try await server.stop()
    }

    @Test func `stay good when two terminals renew them at once`() async throws {
        let server = try await RunningServer.start()
        try await Self.signIn(at: server)
        let both = "countersign token renew & countersign token renew; first=$?; wait $! && exit $first"
        #expect(try await server.command.run(both).status == 0)
        #expect(try await server.command.run("countersign token renew").status == 0)
        _ = try await server.stop()
    }

    @Test func `are refused with the status of a refusal when the account is locked`() async throws {
        let server = try await RunningServer.start()
        try await Self.signIn(at: server)
        #expect(try await server.administer("user lock anna").status == 0)
        let renewed = try await server.command.run("countersign token renew")
        #expect(renewed.status == 7, "\(renewed.output)")
        _ = try await server.stop()
    }

    @Test func `stay when the server is away, and can be discarded all the same`() async throws {
        let server = try await RunningServer.start()
        try await Self.signIn(at: server)
        _ = try await server.stop()
        #expect(try await server.command.run("countersign token renew").status == 5)
        #expect(try await server.command.run("countersign token show").status == 0)
        let discarded = try await server.command.run("countersign token discard")
        #expect(discarded.status == 0)
        #expect(discarded.output.contains("The server did not end the tokens: there they work until "))
        #expect(discarded.output.contains("sign this device out on your account page, \(server.base)/account.\n"))
        #expect(try await server.command.run("countersign token show").status == 1)
    }

    @Test func `are ended at the server, too, when their time is over by the clock here alone`() async throws {
        let server = try await RunningServer.start()
        try await Self.signIn(at: server)
        let store = SealedFileTokenStore(
            directory: server.command.home.appendingPathComponent("data/countersign/tokens").path)
        let key = TokenStoreKey.signIn(at: try Issuer(server.base), as: ClientID("tv"))
        let kept = try #require(try await store.signedIn(for: key))
        let past = Date(timeIntervalSince1970: 1_700_000_000)
        try await store.save(kept.received(at: past, with: nil, ending: past), for: key)
        let shown = try await server.command.run("countersign token show")
        #expect(shown.status == 0 && shown.output.contains("Ends by itself: 2023-11-14T22:13:20Z"), "\(shown.output)")
        let renewed = try await server.command.run("countersign token renew")
        #expect(renewed.status == 7 && renewed.output.contains("Its time is over since"), "\(renewed.output)")
        let discarded = try await server.command.run("countersign token discard --json")
        #expect(discarded.status == 0 && discarded.output.contains("\"revoked\" : true"), "\(discarded.output)")
        #expect(try await server.command.run("countersign token list").output == "No tokens are stored here.\n")
        let person = PersonAtBrowser(at: server.base)
        try await person.signIn()
        try await person.open("/account")
        #expect(await person.text.contains("No screen is signed in as you."))
        _ = try await server.stop()
    }

    @Test func `are another group's or directory's when that is asked for, and named where there are several`()
        async throws
    {
        let server = try await RunningServer.start()
        try await Self.signIn(at: server, "--group radio")
        #expect(try await server.command.run("countersign token list").output == "No tokens are stored here.\n")
        #expect(try await server.command.run("countersign token show --group radio").status == 0)

        try await Self.signIn(at: server, "--save elsewhere")
        #expect(try await server.command.run("countersign token show --save elsewhere").status == 0)
        _ = try await server.stop()
    }

    private static func signIn(at server: RunningServer, _ flags: String = "") async throws {
        let line = "exec \(server.signInLine) --yes \(flags)"
        let signin = try server.command.start(line)
        let code = try await signin.shownCode()
        let person = PersonAtBrowser(at: server.base)
        try await person.decide("approve", on: code, as: "anna", password: RunningServer.password)
        #expect(try await signin.finish().status == 0)
    }

    private static func tokens(of command: CommandUnderTest) async throws -> (access: String, refresh: String) {
        let text = try await command.run("countersign token show --show-tokens").output
        return (
            String(try #require(text.firstMatch(of: /Access token: (\S+)/)).1),
            String(try #require(text.firstMatch(of: /Refresh token: (\S+)/)).1)
        )
    }
}
