import CommandFixture
import Foundation
import Testing

@Suite("The people who share a terminal")
struct HouseholdCommandTests {
    @Test(arguments: [false, true])
    func `are asked on their own pages when they are remembered, also by name after they signed out`(
        signsOut: Bool
    ) async throws {
        let server = try await RunningServer.start()
        try await Self.signIn(at: server, for: "remember")
        #expect(try await server.command.run("countersign token list").output.contains("current, remembered"))
        var line = "exec countersign signin --issuer \(server.base) --client tv --yes"
        if signsOut {
            let signout = try await server.command.run("countersign signout")
            #expect(signout.output == "Signed out here and at the server.\n")
            #expect(try await server.command.run("countersign token list").output.contains("signed out"))
            line += " --as anna"
        } else {
            line += " --only push"
        }

        let signin = try server.command.start(line)
        let shown = try await signin.printed { $0.contains(/tell it to nobody: \d\d/) }
        #expect(shown.contains("You are asked on your own devices. Answer there."))
        let number = try #require(shown.firstMatch(of: /tell it to nobody: (\d\d)/)).1
        let person = PersonAtBrowser(at: server.base)
        try await person.signIn()
        let request = try #require(await person.text.firstMatch(of: /name="request" value="([^"]+)"/)).1
        try await person.submit("/activate", ["request": String(request)])
        try await person.submit(
            "/activate/decision", ["request": String(request), "decision": "approve", "number": String(number)])
        let outcome = try await signin.finish()
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains("Signed in as Anna Example (anna)."))
        #expect(!outcome.output.contains("enter the code"))
        _ = try await server.stop()
    }

    @Test func `see the number first on a terminal, and the code as the alternative`() async throws {
        let server = try await RunningServer.start()
        try await Self.signIn(at: server, for: "remember")
        let line = "countersign signin --issuer \(server.base) --client tv --yes --only push,code"
        let signin = try server.command.start("exec script -qefc 'stty cols 100 rows 40; exec \(line)' /dev/null")
        let shown = try await signin.printed {
            $0.contains("is the number to type") && $0.contains(/and enter the code {2}[A-Z]{4}-[A-Z]{4}/)
        }
        let number = try #require(shown.firstRange(of: "is the number to type")).lowerBound
        let place = try #require(shown.firstRange(of: "Or open \(server.base)/activate on another device,")).lowerBound
        #expect(number < place && !shown.contains("▀"), "\(shown)")
        let code = String(try #require(shown.firstMatch(of: /[A-Z]{4}-[A-Z]{4}/)).0)
        let person = PersonAtBrowser(at: server.base)
        try await person.decide("approve", on: code, as: "anna", password: RunningServer.password)
        let outcome = try await signin.finish()
        #expect(outcome.status == 0, "\(outcome.output)")
        _ = try await server.stop()
    }

    @Test func `say that they muted the app, before the code comes`() async throws {
        let server = try await RunningServer.start()
        try await Self.signIn(at: server, for: "remember")
        let line = "countersign signin --issuer \(server.base) --client tv --yes --only"
        let asking = try server.command.start("exec \(line) push")
        _ = try await asking.printed { $0.contains(/tell it to nobody: \d\d/) }
        let person = PersonAtBrowser(at: server.base)
        try await person.open("/login")
        try await person.submit(
            "/login", ["username": "anna", "password": RunningServer.password, "return_to": "/account"])
        let request = try #require(await person.text.firstMatch(of: /name="request" value="([^"]+)"/)).1
        try await person.submit("/activate", ["request": String(request)])
        try await person.submit("/activate/decision", ["request": String(request), "decision": "mute"])
        #expect(try await asking.finish().status == 3)
        let signin = try server.command.start("exec \(line) push,code")
        let shown = try await signin.printed { $0.contains("works until") }
        let said = "Your own devices are not asked for this: you muted the app, or it needs a stronger way."
        #expect(shown.hasPrefix(said), "\(shown)")
        signin.signal(SIGINT)
        #expect(try await signin.finish().status == 130)
        let alone = try await server.command.run("\(line) push")
        #expect(alone.status == 7 && alone.output.contains(said), "\(alone.output)")
        _ = try await server.stop()
    }

    @Test func `are not asked on their devices unless they chose to be remembered`() async throws {
        let server = try await RunningServer.start()
        try await Self.signIn(at: server)
        #expect(try await !server.command.run("countersign token list").output.contains("remembered"))
        let outcome = try await server.command.run(
            "countersign signin --issuer \(server.base) --client tv --yes --only push")
        #expect(outcome.status == 64, "\(outcome.output)")
        #expect(outcome.output.contains("nobody is remembered here"))
        _ = try await server.stop()
    }

    @Test(arguments: ["anna", "ben"])
    func `hear once that they are not remembered any more, and are not taken for who approves the code`(
        approver: String
    ) async throws {
        let server = try await RunningServer.start()
        let added = try await server.command.run(
            #"echo "\#(RunningServer.password)" | countersign admin user add ben --name "Ben Example""#)
        #expect(added.status == 0, "\(added.output)")
        try await Self.signIn(at: server, for: "remember")
        #expect(try await server.command.run("countersign signout").status == 0)
        let anna = PersonAtBrowser(at: server.base)
        try await anna.signIn()
        let screen = try #require(await anna.text.firstMatch(of: /name="screen" value="([^"]+)"/)).1
        try await anna.submit("/account/screens/forget", ["screen": String(screen)])

        let signin = try server.command.start(
            "exec countersign signin --issuer \(server.base) --client tv --yes --as anna")
        let text = try await signin.printed { $0.contains("works until") }
        let said = "You are not remembered on this screen any more. Sign in another way, "
        #expect(text.contains(said), "\(text)")
        let code = String(try #require(text.firstMatch(of: /[A-Z]{4}-[A-Z]{4}/)).0)
        let person = PersonAtBrowser(at: server.base)
        try await person.decide("approve", on: code, as: approver, password: RunningServer.password)
        let outcome = try await signin.finish()
        #expect(outcome.output.ranges(of: said).count == 1, "\(outcome.output)")
        let listed = try await server.command.run("countersign token list").output
        if approver == "anna" {
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(listed.contains("Anna Example (anna)") && !listed.contains("remembered"), "\(listed)")
        } else {
            #expect(outcome.status == 6, "\(outcome.output)")
            #expect(outcome.output.contains("Somebody else answered than the person who was chosen"))
            #expect(listed == "No tokens are stored here.\n", "\(listed)")
        }
        _ = try await server.stop()
    }

    @Test func `are several, who change without a code`() async throws {
        let server = try await RunningServer.start()
        let added = try await server.command.run(
            #"echo "\#(RunningServer.password)" | countersign admin user add ben --name "Ben Example""#)
        #expect(added.status == 0, "\(added.output)")
        try await Self.signIn(at: server)
        try await Self.signIn(at: server, as: "ben")
        let changed = try await server.command.run(
            "countersign signin --issuer \(server.base) --client tv --as 'Anna Example'")
        #expect(changed.status == 0, "\(changed.output)")
        #expect(changed.output.hasPrefix("Signed in as Anna Example (anna)."))
        let shown = try await server.command.run("countersign token show").output
        #expect(shown.contains("Person: Anna Example (anna)\nHere: current\n"))
        #expect(try await server.command.run("countersign token renew --person ben").status == 0)
        #expect(try await server.command.run("countersign token renew").status == 0)

        let signout = try await server.command.run("countersign signout --person ben")
        #expect(signout.output == "Signed out here and at the server.\n")
        let listed = try await server.command.run("countersign token list").output
        #expect(listed.contains("Anna Example (anna)") && !listed.contains("Ben Example"))
        let unknown = try await server.command.run(
            "countersign signin --issuer \(server.base) --client tv --yes --as ben")
        #expect(unknown.status == 1)
        #expect(unknown.output.contains("Nobody here is called ben. Known are:\n  Anna Example (anna): "))
        _ = try await server.stop()
    }

    @Test func `are guests until the time that they chose`() async throws {
        let server = try await RunningServer.start()
        let text = try await Self.signIn(at: server, for: "15m")
        let end = try #require(text.firstMatch(of: /Signed in as Anna Example \(anna\), until (\S+)\. The/)).1
        let date = try Date(String(end), strategy: .iso8601)
        #expect((13 * 60...16 * 60).contains(date.timeIntervalSinceNow))
        #expect(try await server.command.run("countersign token show").output.contains("Ends by itself: \(end)\n"))
        _ = try await server.stop()
    }

    /// Signs a person in by the code, and returns what was printed.
    @discardableResult
    private static func signIn(
        at server: RunningServer,
        as username: String = "anna",
        for session: String? = nil
    ) async throws -> String {
        let signin = try server.command.start("exec \(server.signInLine) --yes")
        let code = try await signin.shownCode()
        let person = PersonAtBrowser(at: server.base)
        try await person.decide(
            "approve", on: code, as: username, password: RunningServer.password, session: session)
        let outcome = try await signin.finish()
        #expect(outcome.status == 0, "\(outcome.output)")
        return outcome.output
    }
}
