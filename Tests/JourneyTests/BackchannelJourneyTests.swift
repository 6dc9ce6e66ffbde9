import Countersign
import CountersignRequester
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

/// Standard: OpenID CIBA Core 1.0.
@Suite("A backend that names a person", .timeLimit(.minutes(10)))
struct BackchannelJourneyTests {
    @Test func `asks in plain Python, and learns of the decision by poll and by ping`() async throws {
        let clock = ManualClock(Date() - 60)
        try await JourneyServer.with(clock: clock) { server in
            let anna = JourneyPerson.anna
            let ended = try await PythonProgram(name: "backend_over_back_channel").run(
                with: [
                    "JOURNEY_ISSUER": server.issuer.text,
                    "JOURNEY_AUDIENCE": JourneyParties.audience,
                    "JOURNEY_USERNAME": anna.username,
                    "JOURNEY_PASSWORD": anna.password,
                    "JOURNEY_NAME": anna.name,
                    "JOURNEY_SUBJECT": anna.subject.rawValue,
                    "JOURNEY_BACKEND_SECRET": JourneyParties.backendSecret.revealed,
                    "JOURNEY_API_SECRET": JourneyParties.apiSecret.revealed,
                ],
                advancing: { clock.advance(by: $0) },
                answering: { line in
                    guard let address = line.wholeMatch(of: /endpoint (\S+)/).map({ String($0.1) }) else { return nil }
                    try? await server.change { repositories in
                        var backend = try #require(try repositories.clients.find(JourneyParties.backend))
                        backend.backchannel = BackchannelRegistration(
                            deliveryMode: .ping, notificationEndpoint: address)
                        try repositories.clients.update(backend)
                    }
                    return "registered"
                }
            )
            #expect(ended.status == 0, "the program said:\n\(ended.output)")
        }
    }

    @Test func `is answered by a person in a browser, who compares the message`() async throws {
        try await BrowserStory.play(.phone, clock: ManualClock(Date() - 60)) { story in
            let browser = story.browser
            let signIn = try signIn(at: story.server)
            var asked = BackchannelAuthenticationRequest(for: .login("anna"), scope: signIn.scope)
            asked.bindingMessage = BindingMessage(parsing: "Ticket 4711")
            let awaited = try await signIn.start(asked)
            async let outcome = signIn.outcome(of: awaited)
            try await story.open("/account")
            try await browser.signIn(as: .anna)
            #expect(try await browser.text().contains("Ticket 4711"))
            try await browser.press("See what Backend asks")
            try await browser.expect("Approve this sign-in?")
            #expect(try await browser.text().contains("Ticket 4711"))
            try await browser.press("Approve")
            try await browser.expect("Approved")
            guard case .signedIn(let signedIn) = try await outcome else {
                Issue.record("nobody was signed in")
                return
            }
            #expect(signedIn.identity?.subject == JourneyPerson.anna.subject)
        }
    }

    @Test func `is shown on pages that fit and are legible, in each look`() async throws {
        try await BrowserStory.play(clock: ManualClock(Date() - 60)) { story in
            let browser = story.browser
            let signIn = try signIn(at: story.server)
            var asked = BackchannelAuthenticationRequest(for: .login("anna"), scope: signIn.scope)
            asked.bindingMessage = BindingMessage(parsing: String(repeating: "W", count: BindingMessage.longest))
            let awaited = try await signIn.start(asked)
            try await story.open("/account")
            try await browser.signIn(as: .anna)
            try await browser.expect("Where you are signed in", in: BrowserOptions.all)
            try await story.open("/activate")
            try await browser.expect("Your answer is awaited", in: BrowserOptions.all)
            try await browser.press("See what Backend asks")
            try await browser.expect("Approve this sign-in?", in: BrowserOptions.all)
            try await browser.press("Don’t ask me again from this app")
            try await browser.expect("Where you are signed in", in: BrowserOptions.all)
            #expect(try await browser.text().contains("It is denied, and the app asks you nothing more."))
            #expect(try await signIn.outcome(of: awaited) == .denied)
            #expect(try await browser.text().contains("Apps that may not ask you"))
            try await browser.press("Ask me again Backend")
            #expect(try await browser.text().contains("The app may ask you again."))
            #expect(try await !browser.text().contains("Apps that may not ask you"))
        }
    }

    private func signIn(at server: JourneyServer) throws -> BackchannelSignIn {
        BackchannelSignIn(
            at: try Issuer(server.issuer.text),
            as: JourneyParties.backend,
            secret: JourneyParties.backendSecret,
            for: Scope([.openid, .profile])
        )
    }
}
