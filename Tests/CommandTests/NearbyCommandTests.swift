import CommandFixture
import Foundation
import Testing

@Suite("A TV and a phone in two terminals", .timeLimit(.minutes(10)))
struct NearbyCommandTests {
    @Test func `meet over six digits, and then over what they remember of each other`() async throws {
        let fixture = try await NearbyFixture.start()
        let (device, screen) = (try await fixture.phone(), try fixture.tv())
        let (phone, tv) = (try device.approve("--once --pair"), try screen.signIn("--pair"))
        try await phone.reads("in front of you")
        #expect(!phone.printed.contains("Living room TV"), "Nobody is told who asks before it is sure.")
        await phone.answer("yes")
        await phone.answer(try await tv.readsDigits())
        // With a number, when others play this story beside.
        #expect(tv.printed.contains(#/in the app on ‘Test phone( \(\d+\))?’/#))
        let asked = try await phone.reads("Approve?")
        #expect(asked.contains("Living room TV (not verified) wants to be signed in as Anna Example."))
        #expect(asked.contains("  screen: Test TV (as it calls itself)\n"))
        #expect(asked.contains("  for:    openid") && asked.contains("  from:   127.0.0.1"))
        await phone.answer("yes")
        let signedIn = try await tv.finish()
        #expect(signedIn.status == 0, "\(signedIn.output)")
        #expect(signedIn.output.contains("Signed in as Anna Example (anna)."))
        #expect(try await phone.finish().status == 0)

        let (again, second) = (try device.approve("--once --pair"), try screen.signIn("--pair"))
        try await again.reads("Approve?")
        await again.answer("yes")
        let resumed = try await second.finish()
        #expect(resumed.status == 0 && !resumed.output.contains("Type "), "\(resumed.output)")
        try await again.finish()

        try await device.forget()
        #expect(try await device.home.run("countersign nearby paired forget nobody").status == 1)
        _ = try await fixture.server.stop()
    }

    /// Features 4 and 10 of the older library, seen from outside.
    @Test func `are decided later, or by a policy without a person`() async throws {
        let fixture = try await NearbyFixture.start()
        let (device, screen) = (try await fixture.phone(), try fixture.tv())
        let stranger = try device.approve("--once --without-asking approve-paired")
        try await stranger.reads("can ask now")
        let unknown = try screen.signIn("--json")
        try await unknown.reads(#""reason":"not_now""#)
        #expect(stranger.printed.contains("Nobody is here who could read its digits."))
        try await unknown.interrupt()
        try await stranger.interrupt()

        let (phone, tv) = (try device.approve("--once --pair"), try screen.signIn("--pair"))
        try await phone.reads("in front of you")
        await phone.answer("yes")
        await phone.answer(try await tv.readsDigits())
        try await phone.reads("Approve?")
        // The screen waits as long as its person thinks.
        try await Task.sleep(for: .seconds(3))
        await phone.answer("yes")
        #expect(try await tv.finish().status == 0)
        #expect(try await phone.finish().status == 0)

        let policy = "--once --pair --without-asking"
        let (unattended, again) = (
            try device.approve("\(policy) approve-paired"), try screen.signIn("--pair")
        )
        let signedIn = try await again.finish()
        #expect(signedIn.status == 0 && signedIn.output.contains("Signed in as Anna Example"), "\(signedIn.output)")
        let answered = try await unattended.finish()
        #expect(answered.status == 0 && answered.output.contains("Approved without asking."), "\(answered.output)")

        let (denying, third) = (try device.approve("\(policy) deny"), try screen.signIn("--pair"))
        #expect(try await third.finish().status == 3)
        #expect(try await denying.finish().status == 3)
        _ = try await fixture.server.stop()
    }

    @Test func `meet when the phone comes late, and when it is killed and comes back`() async throws {
        let fixture = try await NearbyFixture.start()
        let (device, tv) = (try await fixture.phone(), try fixture.tv().signIn())
        try await tv.reads("works until")
        #expect(tv.printed.split(separator: "phone").count == 2, "Only that one may be opened: \(tv.printed)")
        let first = try device.approve("--once")
        try await first.reads("in front of you")
        first.running.signal(SIGKILL)
        _ = try? await first.finish()
        let phone = try device.approve("--once")
        try await phone.reads("in front of you")
        await phone.answer("yes")
        await phone.answer(try await tv.readsDigits())
        try await phone.reads("Approve?")
        await phone.answer("yes")
        let signedIn = try await tv.finish()
        #expect(signedIn.status == 0, "\(signedIn.output)")
        #expect(try await phone.finish().status == 0)
        _ = try await fixture.server.stop()
    }

    @Test func `end with 130 when no screen was answered before the phone was interrupted`() async throws {
        let fixture = try await NearbyFixture.start()
        let phone = try await fixture.phone().approve("--once")
        try await phone.reads("can ask now")
        #expect(try await phone.interrupt().status == 130)
        _ = try await fixture.server.stop()
    }

    @Test func `are told of a wrong code, and of a no`() async throws {
        let fixture = try await NearbyFixture.start()
        let (phone, tv) = (try await fixture.phone().approve("--once"), try fixture.tv().signIn("--json"))
        try await phone.reads("in front of you")
        await phone.answer("yes")
        let first = try await Self.code(in: tv, besides: nil)
        await phone.answer(first == "000000" ? "111111" : "000000")
        try await phone.reads("Not the code that screen shows.")
        try await phone.reads("it shows another code, which you type here.")
        try await phone.reads("in front of you")
        await phone.answer("yes")
        await phone.answer(try await Self.code(in: tv, besides: first))
        try await phone.reads("Approve?")
        await phone.answer("no")
        #expect(try await phone.finish().status == 3)
        let denied = try await tv.finish()
        #expect(denied.status == 3, "\(denied.output)")
        #expect(denied.output.contains(#""state":"declined""#))
        _ = try await fixture.server.stop()
    }

    @Test func `take no answer that was typed before its question`() async throws {
        let fixture = try await NearbyFixture.start()
        let phone = try await fixture.phone().approveAtTerminal("--once")
        try await phone.reads("They find this device as")
        await phone.answer("yes")
        // The terminal echoes it once it has it.
        try await phone.reads("yes")
        let tv = try fixture.tv().signIn()
        try await phone.reads("in front of you")
        // Were it answered already, this would be taken for digits.
        await phone.answer("perhaps")
        try await phone.reads("Please type yes or no.")
        try await phone.reads("in front of you")
        await phone.answer("no")
        // Its name has a number where others play this story beside.
        try await tv.reads("’ says: not now.")
        try await tv.interrupt()
        try await phone.interrupt()
        _ = try await fixture.server.stop()
    }

    @Test func `are both in the demo, beside its code`() async throws {
        let command = try CommandUnderTest()
        let demo = try AnsweringTerminal("exec countersign demo --once", in: command)
        let shown = try await demo.reads("works until")
        let line = try #require(shown.firstMatch(of: /countersign approve .*\\\n.* --save \S+/)).0
        let phone = try AnsweringTerminal("exec \(line)", in: command)
        try await phone.reads("in front of you")
        await phone.answer("yes")
        let digits = try await demo.readsDigits()
        try await phone.reads("Digits: ")
        await phone.answer(digits)
        #expect(
            try await phone.reads("Approve?").contains("Demo TV (not verified) wants to be signed in as Anna Example."))
        await phone.answer("yes")
        #expect(try await phone.finish().status == 0)
        let signedIn = try await demo.finish()
        #expect(signedIn.status == 0 && signedIn.output.contains("Signed in as Anna Example (anna)."))
    }

    @Test func `are called by the name of the machine where no other was given`() async throws {
        let fixture = try await NearbyFixture.start()
        let phone = try await fixture.phone().approve(called: nil)
        let machine = ProcessInfo.processInfo.hostName
        // With a number, when others play this story beside.
        try await phone.reads("They find this device as ‘\(machine)")
        try await phone.interrupt()
        _ = try await fixture.server.stop()
    }

    @Test func `give a reason in JSON when a phone is out of the story`() async throws {
        let fixture = try await NearbyFixture.start()
        let (phone, tv) = (try await fixture.phone().approve(), try fixture.tv().signIn("--json"))
        try await phone.reads("in front of you")
        await phone.answer("no")
        try await tv.reads(#""reason":"not_now""#)
        try await tv.interrupt()
        try await phone.interrupt()
        _ = try await fixture.server.stop()
    }

    @Test func `show the digits in a line that is empty once they were typed`() async throws {
        let fixture = try await NearbyFixture.start()
        let (phone, tv) = (try await fixture.phone().approve("--once"), try fixture.tv().signInAtTerminal())
        try await phone.reads("in front of you")
        await phone.answer("yes")
        let digits = try await tv.readsDigits()
        await phone.answer(digits)
        try await phone.reads("Approve?")
        let shown = try #require(tv.printed.range(of: digits, options: .backwards))
        // Back to that line, which is emptied; then the cursor goes back to where the person types.
        let after = tv.printed[shown.upperBound...]
        #expect(after.contains("\r\u{1B}[K\u{1B}8"), "\(after)")
        await phone.answer("yes")
        #expect(try await tv.finish().status == 0)
        #expect(try await phone.finish().status == 0)
        _ = try await fixture.server.stop()
    }

    @Test func `name what is missing`() async throws {
        let command = try CommandUnderTest()
        let stranger = try await command.run("countersign approve --issuer http://127.0.0.1:1 --client phone")
        #expect(stranger.status == 1 && stranger.output.contains("Type: countersign authenticator enroll"))
        let other = try await command.run(
            "countersign signin --only nearby --cpa http://127.0.0.1:1 --domain a.example")
        #expect(other.status == 64)
        #expect(try await command.run("countersign nearby paired list").output == "No device is paired.\n")
    }

    /// The digits that the TV shows, in its JSON lines; others than `earlier`.
    private static func code(in tv: AnsweringTerminal, besides earlier: String?) async throws -> String {
        func last(_ text: String) -> String? { text.matches(of: /"code":"(\d{6})"/).last.map { String($0.1) } }
        let text = try await tv.running.printed { last($0) != nil && last($0) != earlier }
        return try #require(last(text))
    }
}
