import CommandFixture
import Foundation
import Testing

/// The approver in a terminal, whose requests come from screens nearby and from the server.
@Suite("An approver in a terminal", .timeLimit(.minutes(10)))
struct ApproveCommandTests {
    @Test func `asks about what comes by every way, one after the other, and a screen nearby first`() async throws {
        let story = try await Story.start()
        let phone = try story.phone.approve()
        try await phone.reads("Waiting for what asks to be signed in as Anna Example")
        try await phone.reads("can ask now")
        let desk = try story.desk()
        let first = try await phone.reads("Approve? ")
        #expect(first.contains("Help desk wants you to sign in as Anna Example.") && first.contains("  about:  Parcel"))

        let tv = try story.fixture.tv().signIn()
        try await phone.reads("in front of you")
        await phone.answer("yes")
        await phone.answer(try await tv.readsDigits())
        try await phone.reads("Living room TV (not verified) wants to be signed in as Anna Example.")
        let nearby = try await phone.reads("Approve? ")
        #expect(nearby.contains("  screen: Test TV (as it calls itself)"), "\(nearby)")
        await phone.answer("y")
        #expect(try await tv.finish().status == 0)

        // The question before is asked again.
        try await phone.reads("Help desk wants you to sign in as Anna Example.")
        try await phone.reads("Approve? ")
        await phone.answer("n")
        try await phone.reads("It is denied.")
        #expect(try await desk.finish().status == 3)
        #expect(try await phone.interrupt().status == 0)
        _ = try await story.fixture.server.stop()
    }

    /// The screen remembers its person, and is paired with the phone: the request comes by both ways.
    @Test func `asks once about a request that comes over a link and by the server's list`() async throws {
        let story = try await Story.start()
        let screen = try story.fixture.tv()
        let (first, meeting) = (
            try story.phone.approve("--once --pair --session remember"), try screen.signIn("--pair")
        )
        try await first.reads("in front of you")
        await first.answer("yes")
        await first.answer(try await meeting.readsDigits())
        try await first.reads("Approve? ")
        await first.answer("y")
        #expect(try await meeting.finish().status == 0)
        #expect(try await first.finish().status == 0)

        let phone = try story.phone.approve("--once --pair")
        try await phone.reads("can ask now")
        let tv = try screen.signIn(by: "nearby,push,code", "--pair")
        try await phone.reads("Approve? [y/n")
        var listed = ""
        for _ in 0..<300 where !listed.contains("  screen: Test TV") {
            listed = try await story.phone.home.run("countersign approve --list").output
        }
        #expect(listed.contains("  screen: Test TV"), "\(listed)")
        await phone.answer("y")
        let signedIn = try await tv.finish()
        #expect(signedIn.status == 0, "\(signedIn.output)")
        let ended = try await phone.finish()
        #expect(ended.status == 0, "\(ended.output)")
        #expect(ended.output.matches(of: #/Living room TV.* wants to /#).count == 1, "\(ended.output)")
        #expect(ended.output.contains("  for:    openid") && ended.output.contains("  from:   127.0.0.1"))
        #expect(ended.output.contains("  stay:   "), "\(ended.output)")
        _ = try await story.fixture.server.stop()
    }

    @Test func `prints what waits where nobody can answer`() async throws {
        let story = try await Story.start()
        let desk = try story.desk()
        let phone = try story.phone.home.start("exec countersign approve --only inbox </dev/null")
        let shown = try await phone.printed { $0.contains("  until:  ") }
        #expect(shown.contains("Nobody can answer here. To answer a request, type: countersign approve ID"))
        #expect(shown.contains("Help desk wants you to sign in as Anna Example."), "\(shown)")
        #expect(shown.contains(#/  asked:  \d{4}-\d\d-\d\dT[\d:]{8}Z\n/#), "\(shown)")
        phone.signal(SIGINT)
        #expect(try await phone.finish().status == 0)
        let home = story.phone.home
        for line in ["--once --only inbox", "r1"] {
            let refused = try await home.run("countersign approve \(line) </dev/null")
            #expect(refused.status == 64 && refused.output.contains("Nobody can answer here"), "\(refused.output)")
        }
        desk.signal(SIGINT)
        _ = try await desk.finish()
        _ = try await story.fixture.server.stop()
    }

    @Test func `says of an unknown request that there is none`() async throws {
        let story = try await Story.start()
        for line in ["countersign approve r1 --answer deny", "echo n | countersign approve r1"] {
            let refused = try await story.phone.home.run(line)
            #expect(refused.status == 7, "\(refused.output)")
            #expect(refused.output.contains("No request ‘r1’ waits here: there is none, or it is over."))
            #expect(refused.output.contains("countersign approve --list"), "\(refused.output)")
        }
        _ = try await story.fixture.server.stop()
    }

    @Test func `says when the asking side gave up, and goes on`() async throws {
        let story = try await Story.start()
        let phone = try story.phone.approveFromInbox("--once")
        let desk = try story.desk()
        try await phone.reads("Approve? ")
        desk.signal(SIGINT)
        #expect(try await desk.finish().status == 130)
        try await phone.reads("Help desk: ")
        let second = try story.desk()
        try await phone.reads("Approve? ")
        await phone.answer("y")
        try await phone.reads("It is approved.")
        #expect(try await second.finish().status == 0)
        #expect(try await phone.finish().status == 0)
        _ = try await story.fixture.server.stop()
    }

    @Test func `is driven by a program, line by line`() async throws {
        let story = try await Story.start()
        let phone = try story.phone.approveFromInbox("--once --json")
        let desk = try story.desk()
        let shown = try await phone.reads(#""asks":"decision""#)
        for member in [#""kind":"backchannel""#, #""step":"decide""#, #""verified":true"#, #""scope":"openid""#] {
            #expect(shown.contains(member), "\(member): \(shown)")
        }
        await phone.answer("n")
        try await phone.reads(#""answer":"denied","event":"answered""#)
        #expect(try await phone.finish().status == 3)
        #expect(try await desk.finish().status == 3)
        _ = try await story.fixture.server.stop()
    }

    @Test func `asks about the request of another app, and about no address of another server`() async throws {
        let fixture = try await NearbyFixture.start()
        _ = try await fixture.server.command.run(
            """
            countersign admin client add app --name 'Photo app' --grant authorization_code --scope openid \
                --redirect-uri http://127.0.0.1/done
            """)
        let phone = try await fixture.phone()
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        let query =
            "response_type=code&client_id=app&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fdone&scope=openid&state=s"
            + "&code_challenge=\(challenge)&code_challenge_method=S256"
        let asked = try await phone.home.run("echo n | countersign approve '\(fixture.server.base)/authorize?\(query)'")
        #expect(asked.output.contains("Photo app (not verified) wants to be signed in as Anna Example."), "\(asked)")
        #expect(asked.output.contains("It is denied.") && asked.status == 0, "\(asked)")
        let other = try await phone.home.run("echo y | countersign approve 'https://id.example.com/authorize?\(query)'")
        #expect(other.status == 7 && other.output.contains("Nothing was opened."), "\(other)")
        _ = try await fixture.server.stop()
    }

    @Test func `that is not enrolled says so, and answers screens nearby`() async throws {
        let fixture = try await NearbyFixture.start()
        let device = try await fixture.phone()
        let phone = try device.approve("--once")
        try await phone.reads("Only screens nearby can ask: this terminal is not enrolled.")
        try await phone.reads("countersign authenticator enroll")
        try await phone.reads("can ask now")
        try await phone.interrupt()
        let inbox = try await device.home.run("countersign approve --only inbox")
        #expect(inbox.status == 1 && inbox.output.contains("This terminal is not enrolled."), "\(inbox.output)")
        for line in ["--list", "--list --json", "--answer deny", "r1 --answer deny"] {
            let list = try await device.home.run("countersign approve \(line)")
            #expect(list.status == 1 && list.output.contains("not enrolled."), "\(list.output)")
            #expect(list.output.contains("countersign authenticator enroll"), "\(list.output)")
        }
        _ = try await fixture.server.stop()
    }
}

/// A phone that is enrolled by its sign-in, and a desk that asks its person by name.
private struct Story {
    let fixture: NearbyFixture
    let phone: NearbyDevice
    private let secret: String

    static func start() async throws -> Story {
        let fixture = try await NearbyFixture.start()
        let added = try await fixture.server.command.run(
            "countersign admin client add desk --name 'Help desk' --confidential --grant ciba --scope openid --json")
        let secret = try #require(added.output.firstMatch(of: /"client_secret" : "([^"]+)"/), "\(added.output)").1
        let phone = try await fixture.phone()
        let enrolled = try await phone.home.run("countersign authenticator enroll")
        #expect(enrolled.status == 0, "\(enrolled.output)")
        return Story(fixture: fixture, phone: phone, secret: String(secret))
    }

    /// The desk asks Anna.
    func desk() throws -> RunningCommand {
        let command = try CommandUnderTest()
        try secret.write(to: command.home.appendingPathComponent("secret"), atomically: true, encoding: .utf8)
        return try command.start(
            "exec countersign signin --backchannel --person anna --message Parcel --issuer \(fixture.server.base) "
                + "--client desk --secret-file secret --scope openid --yes")
    }
}
