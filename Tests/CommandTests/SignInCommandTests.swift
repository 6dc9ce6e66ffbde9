import CommandFixture
import Foundation
import Testing

@Suite("Signing a terminal in")
struct SignInCommandTests {
    @Test func `prints plain lines where there is no terminal, and keeps the tokens to itself`() async throws {
        let server = try await RunningServer.start()
        let signin = try server.command.start("exec \(server.signInLine) --yes")
        let code = try await signin.shownCode()
        let shown = signin.printed
        #expect(shown.contains("Open \(server.base)/activate on another device, and enter the code \(code)."))
        #expect(shown.contains("Or open \(server.base)/activate?user_code=\(code)&at="))
        #expect(!shown.contains("\u{1B}"))

        try await Self.decide("approve", code, at: server)
        let outcome = try await signin.finish()
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("Signed in as Anna Example (anna)."))
        let files = try await server.command.run("find data/countersign/tokens -type f -printf '%m\\n'").output
        #expect(files == "600\n600\n")
        #expect(!outcome.output.contains("oken:"))
        _ = try await server.stop()
    }

    @Test func `prints JSON lines, and asks on standard input`() async throws {
        let server = try await RunningServer.start()
        let signin = try server.command.start(
            "exec \(server.signInLine) --json --show-tokens 2> questions",
            input: "perhaps\nyes\n"
        )
        let code = try await signin.shownCode()
        try await Self.decide("approve", code, at: server)
        let outcome = try await signin.finish()
        #expect(outcome.status == 0)
        let lines = try outcome.output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        let events = lines.compactMap { $0["event"] as? String }
        #expect(events == ["discovering", "invitation", "waiting", "confirming", "signed_in"])
        #expect(lines.last?["name"] as? String == "Anna Example")
        #expect((lines.last?["access_token"] as? String)?.count == 43)
        #expect(try await server.command.run("cat questions").output == "Please type yes or no.\n")
        _ = try await server.stop()
    }

    @Test(arguments: [false, true])
    func `is signed in by a code that the person got elsewhere`(isTyped: Bool) async throws {
        let server = try await RunningServer.start()
        let person = PersonAtBrowser(at: server.base)
        try await person.open("/login")
        try await person.submit(
            "/login", ["username": "anna", "password": RunningServer.password, "return_to": "/activate"])
        try await person.submit("/activate/code", [:])
        let shown = try #require(await person.text.firstMatch(of: /<strong class="code">(\d{4} \d{4})</)).1
        let signin = try server.command.start(
            "exec countersign signin --issuer \(server.base) --client tv --yes --code \(isTyped ? "-" : "'\(shown)'")",
            input: isTyped ? "\(shown)\n" : ""
        )
        _ = try await signin.printed { $0.contains("The code was accepted. Answer where it was shown.") }
        var request: String?
        for _ in 0..<1200 where request == nil {
            try await person.open("/activate/code")
            request = await person.text.firstMatch(of: /name="request" value="([^"]+)"/).map { String($0.1) }
            if request == nil { try await Task.sleep(for: .milliseconds(50)) }
        }
        try await person.submit(
            "/activate/decision", ["request": try #require(request), "decision": "approve"])
        let outcome = try await signin.finish()
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains("Signed in as Anna Example (anna)."))
        #expect(!outcome.output.contains("enter the code"))
        let again = try await server.command.run(
            "countersign signin --issuer \(server.base) --client tv --yes --code '\(shown)'")
        #expect(again.status == 7)
        #expect(again.output.contains("Get a new one and type that."))
        #expect(!again.output.contains("accepted"))
        _ = try await server.stop()
    }

    @Test func `says what was not granted only of what was asked for`() async throws {
        let server = try await RunningServer.start()
        #expect(try await server.administer("client change tv --scope openid").status == 0)
        let signin = try server.command.start("exec \(server.signInLine) --yes")
        try await Self.decide("approve", try await signin.shownCode(), at: server)
        let outcome = try await signin.finish()
        #expect(outcome.status == 0 && !outcome.output.contains("Not granted"), "\(outcome.output)")
        let again = "countersign signin --issuer \(server.base) --client tv --as 'Anna Example'"
        let unasked = try await server.command.run(again)
        #expect(unasked.status == 0 && !unasked.output.contains("Not granted"), "\(unasked.output)")
        let asked = try await server.command.run("\(again) --scope 'openid profile'")
        #expect(asked.status == 0 && asked.output.contains("Not granted: profile."), "\(asked.output)")
        _ = try await server.stop()
    }

    @Test func `signs nobody in whose approval was undone before it was confirmed`() async throws {
        let server = try await RunningServer.start()
        // The answer is written once the approval was undone.
        #expect(try await server.command.run("mkfifo answer").status == 0)
        let signin = try server.command.start("exec \(server.signInLine) < answer")
        let opening = try server.command.start("exec 3> answer; until [ -e undone ]; do sleep 0.05; done; echo yes >&3")
        let code = try await signin.shownCode()
        let person = PersonAtBrowser(at: server.base)
        try await person.decide("approve", on: code, as: "anna", password: RunningServer.password)
        _ = try await signin.printed { $0.contains("Continue as Anna Example (anna)?") }
        let grant = try #require(await person.text.firstMatch(of: /name="grant" value="([^"]+)"/)).1
        try await person.submit("/account/undo", ["grant": String(grant)])
        _ = try await server.command.run("touch undone")
        let outcome = try await signin.finish()
        #expect(outcome.status == 3, "\(outcome.output)")
        #expect(outcome.output.contains("The approval was undone, so nobody is signed in."), "\(outcome.output)")
        #expect(try await server.command.run("countersign token list").output == "No tokens are stored here.\n")
        _ = try await opening.finish()
        _ = try await server.stop()
    }

    @Test func `ends with 3 when the person denies`() async throws {
        let server = try await RunningServer.start()
        let signin = try server.command.start("exec \(server.signInLine) --yes")
        try await Self.decide("deny", try await signin.shownCode(), at: server)
        let outcome = try await signin.finish()
        #expect(outcome.status == 3)
        #expect(outcome.output.contains("countersign: The request was denied on the other screen."))
        _ = try await server.stop()
    }

    @Test func `ends with 6 when it is not me, and nothing stays signed in`() async throws {
        let server = try await RunningServer.start()
        let signin = try server.command.start(
            "exec \(server.signInLine)",
            input: "no\n"
        )
        try await Self.decide("approve", try await signin.shownCode(), at: server)
        let outcome = try await signin.finish()
        #expect(outcome.status == 6, "\(outcome.output)")
        #expect(outcome.output.contains("Continue as Anna Example (anna)? [yes/no]"))
        let person = PersonAtBrowser(at: server.base)
        try await person.open("/login")
        try await person.submit("/login", ["username": "anna", "password": RunningServer.password])
        #expect(await person.text.contains("No screen is signed in as you."))
        _ = try await server.stop()
    }

    @Test func `ends with 5 when nobody answers, and with 7 when the client is unknown`() async throws {
        let server = try await RunningServer.start()
        let unknown = try await server.command.run(
            "countersign signin --issuer \(server.base) --client nobody --only code --yes")
        #expect(unknown.status == 7)
        _ = try await server.stop()
        let nobody = try await server.command.run("\(server.signInLine) --yes")
        #expect(nobody.status == 5)
    }

    @Test func `ends with 130 when it is interrupted, and redeems nothing`() async throws {
        let server = try await RunningServer.start()
        let signin = try server.command.start("exec \(server.signInLine) --yes")
        let code = try await signin.shownCode()
        signin.signal(SIGINT)
        let outcome = try await signin.finish()
        #expect(outcome.status == 130)
        #expect(outcome.output.contains("countersign: Signing in was stopped."))
        // The request ended with it.
        await #expect(throws: PersonAtBrowser.Refused.self) { try await Self.decide("approve", code, at: server) }
        let person = PersonAtBrowser(at: server.base)
        try await person.open("/login")
        try await person.submit("/login", ["username": "anna", "password": RunningServer.password])
        #expect(await person.text.contains("No screen is signed in as you."))
        _ = try await server.stop()
    }

    @Test func `draws the code, a QR code and a countdown on a terminal`() async throws {
        let server = try await RunningServer.start()
        // `script` gives the program a terminal of its own.
        let signin = try server.command.start(
            "exec script -qefc 'stty cols 100; exec \(server.signInLine) --yes' /dev/null"
        )
        let shown = try await signin.printed { $0.contains("The code works for 4:") }
        #expect(shown.contains("▀"))
        try await Self.approve(shown, at: server)
        let outcome = try await signin.finish()
        #expect(outcome.output.contains("Signed in as Anna Example (anna)."))
        _ = try await server.stop()
    }

    /// Approves the request of the code that a terminal shows.
    private static func approve(_ shown: String, at server: RunningServer) async throws {
        let spaced = try #require(shown.firstMatch(of: /(?:[A-Z] ){4}- (?:[A-Z] ){3}[A-Z]/)).0
        try await decide("approve", String(spaced).replacing(" ", with: ""), at: server)
    }

    /// The invitation and the lines below it, with the one that the person types in, as `script` has recorded them.
    private static func rows(of shown: String) -> Int {
        let drawn = shown.split(separator: "\u{1B}[K", omittingEmptySubsequences: false)[0]
        return drawn.count { $0.isNewline } + 2 + 1
    }

    @Test func `draws no more than a terminal of 80 columns and 24 rows has`() async throws {
        let server = try await RunningServer.start()
        let signin = try server.command.start(
            "exec script -qefc 'stty cols 80 rows 24; exec \(server.signInLine) --yes' /dev/null"
        )
        let shown = try await signin.printed { $0.contains("The code works for 4:") }
        #expect(shown.contains("▀") && shown.contains("\(server.base)/activate"), "\(shown)")
        #expect(Self.rows(of: shown) <= 24, "\(shown)")
        try await Self.approve(shown, at: server)
        _ = try await signin.finish()
        _ = try await server.stop()
    }

    @Test func `draws plain characters alone where the locale is not UTF-8`() async throws {
        let server = try await RunningServer.start()
        for (rows, hasCode) in [(60, true), (24, false)] {
            let signin = try server.command.start(
                """
                export LC_ALL=C; exec script -qefc 'stty cols 120 rows \(rows); exec \(server.signInLine) --yes' /dev/null
                """
            )
            let shown = try await signin.printed { $0.contains("The code works for 4:") }
            #expect(shown.utf8.allSatisfy { $0 < 0x80 }, "\(shown)")
            #expect(shown.contains("\u{1B}[48;5;16m  ") == hasCode, "\(shown)")
            #expect(shown.contains("This terminal is too small for a QR code.") != hasCode, "\(shown)")
            #expect(Self.rows(of: shown) <= rows)
            try await Self.approve(shown, at: server)
            let outcome = try await signin.finish()
            #expect(outcome.status == 0 && outcome.output.utf8.allSatisfy { $0 < 0x80 }, "\(outcome.output)")
        }
        _ = try await server.stop()
    }

    @Test(arguments: [false, true])
    func `shows a number to a person who opens the link in another network`(asJSON: Bool) async throws {
        // Every address is that of a proxy which names nobody, so the server sees no common network.
        let server = try await RunningServer.start("--trusted-proxies 127.0.0.1")
        let signin = try server.command.start(
            "exec \(server.signInLine) --yes \(asJSON ? "--json" : "")")
        let code = try await signin.shownCode()
        let person = PersonAtBrowser(at: server.base)
        try await person.signIn()
        let mark = try #require(signin.printed.firstMatch(of: /&at=([\w-]+)/)).1
        try await person.open("/activate?user_code=\(code)&at=\(mark)")
        try await person.submit("/activate", ["user_code": code, "by_link": "1"])
        #expect(await person.text.contains("name=\"number\""))
        let shown = try await signin.printed { $0.contains(/(tell it to nobody: |"number":")\d\d/) }
        let number = try #require(shown.firstMatch(of: /(tell it to nobody: |"number":")(\d\d)/)).2
        try await person.submit(
            "/activate/decision", ["user_code": code, "decision": "approve", "number": String(number)])
        let outcome = try await signin.finish()
        #expect(outcome.status == 0, "\(outcome.output)")
        _ = try await server.stop()
    }

    @Test func `shows the whole story in a demo`() async throws {
        let command = try CommandUnderTest()
        let demo = try command.start("exec countersign demo --once")
        let code = try await demo.shownCode()
        let shown = demo.printed
        let base = try #require(shown.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/)).0
        let words = try #require(shown.firstMatch(of: /Sign in there as (\S+) with the password (\S+)\./))
        let person = PersonAtBrowser(at: String(base))
        try await person.decide(
            "approve",
            on: code,
            as: String(words.1),
            password: String(words.2),
            staysForMore: false
        )
        let outcome = try await demo.finish()
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains("Signed in as Anna Example (anna)."))
    }

    @Test func `lets a phone on the network take part in a demo, and names the fingerprint of its certificate`()
        async throws
    {
        let command = try CommandUnderTest()
        let demo = try command.start("exec countersign demo --lan --listen 127.0.0.1:0")
        // The TV itself has reached the server by then.
        _ = try await demo.shownCode()
        let shown = demo.printed
        let base = try #require(shown.firstMatch(of: /https:\/\/127\.0\.0\.1:\d+/)).0
        let trusting = try #require(shown.firstMatch(of: /export SSL_CERT_FILE=(\S+)/))
        let presented = try await command.run(
            "openssl s_client -connect \(base.dropFirst(8)) < /dev/null | openssl x509 -noout -fingerprint -sha256")
        let fingerprint = try #require(presented.output.firstMatch(of: /Fingerprint=(\S{48})(\S{47})/))
        #expect(shown.contains(fingerprint.1) && shown.contains(fingerprint.2))

        let page = "-sS -o page -w '%{http_code}' \(base)/login"
        #expect(try await command.run("curl --cacert \(trusting.1) \(page)").output == "200")
        #expect(try await command.run("curl \(page)").status == 60)

        #expect(!shown.contains(/with the password open-sesame\./))
        let line = try #require(shown.split(separator: "\n").first { $0.contains("authenticator enroll") })
        let enrolled = try await command.run("\(trusting.0); \(line)")
        #expect(enrolled.status == 0, "\(enrolled.output)")
        demo.signal(SIGINT)
        _ = try await demo.finish()
    }

    @Test func `repeats the name and password of a demo where its introduction has scrolled away`() async throws {
        let demo = try CommandUnderTest().start(
            "exec script -qefc 'stty cols 80 rows 24; exec countersign demo --once' /dev/null")
        let shown = try await demo.printed {
            $0.contains("The code works for 4:") || $0.contains("The code works for 5:")
        }
        let last = shown.split(separator: "\n", omittingEmptySubsequences: false).suffix(24).joined(separator: "\n")
        #expect(last.contains("and sign in there as anna,") && last.contains("password open-sesame"), "\(shown)")
        demo.signal(SIGINT)
        _ = try await demo.finish()
    }

    @Test(arguments: ["0.0.0.0:0", "[::]:0"])
    func `lets a demo on the network listen at one address only`(address: String) async throws {
        let demo = try await CommandUnderTest().run("countersign demo --lan --listen \(address)")
        #expect(demo.status == 64)
        #expect(demo.output.contains("--listen takes one address of this machine"))
    }

    @Test func `says that a demo was interrupted before anybody approved`() async throws {
        let demo = try CommandUnderTest().start("exec countersign demo --once")
        _ = try await demo.shownCode()
        demo.signal(SIGINT)
        let outcome = try await demo.finish()
        #expect(outcome.status == 130, "\(outcome.output)")
    }

    @Test(arguments: [false, true])
    func `lets a desk ask in the demo, and an authenticator in a terminal answer`(asJSON: Bool) async throws {
        let command = try CommandUnderTest()
        let demo = try command.start("exec countersign demo")
        let shown = try await demo.printed { $0.contains("--save") && $0.contains("/desk\n") }
        let lines = shown.replacing("\\\n", with: " ").split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        func line(_ words: String) throws -> String { try #require(lines.first { $0.contains(words) }) }
        let enrolled = try await command.run(try line("authenticator enroll"))
        #expect(enrolled.status == 0, "\(enrolled.output)")
        let desk = try command.start("exec \(try line("--backchannel")) \(asJSON ? "--json" : "")")
        let asked = try await desk.printed { $0.contains(/number.*\d\d/) }
        let number = try #require(
            asked.firstMatch(of: /(tell it to nobody: |"event":"verification_number","number":")(\d\d)/)
        ).2
        let phone = try #require(try line("approve --only inbox").firstMatch(of: /--save (\S+)/)).1
        let approved = try await command.run("countersign approve --answer approve --number \(number) --save \(phone)")
        #expect(approved.status == 0, "\(approved.output)")
        let outcome = try await desk.finish()
        #expect(outcome.status == 0 && outcome.output.contains("Anna Example"), "\(outcome.output)")
        demo.signal(2)
        _ = try await demo.finish()
    }

    @Test func `withdraws its question when it is interrupted over the back channel`() async throws {
        let command = try CommandUnderTest()
        let demo = try command.start("exec countersign demo")
        let shown = try await demo.printed { $0.contains("--save") && $0.contains("/desk\n") }
        let lines = shown.replacing("\\\n", with: " ").split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        func line(_ words: String) throws -> String { try #require(lines.first { $0.contains(words) }) }
        let enrolled = try await command.run(try line("authenticator enroll"))
        #expect(enrolled.status == 0, "\(enrolled.output)")
        let phone = try #require(try line("approve --only inbox").firstMatch(of: /--save (\S+)/)).1
        let desk = try command.start("exec \(try line("--backchannel"))")
        _ = try await desk.printed { $0.contains("Asked.") }
        #expect(try await command.run("countersign approve --list --save \(phone)").output.contains("id:"))
        desk.signal(SIGINT)
        #expect(try await desk.finish().status == 130)
        let after = try await command.run("countersign approve --list --save \(phone)")
        #expect(after.output == "No requests are pending.\n", "\(after.output)")
        demo.signal(2)
        _ = try await demo.finish()
    }

    private static func decide(_ decision: String, _ code: String, at server: RunningServer) async throws {
        let person = PersonAtBrowser(at: server.base)
        try await person.decide(decision, on: code, as: "anna", password: RunningServer.password)
    }
}
