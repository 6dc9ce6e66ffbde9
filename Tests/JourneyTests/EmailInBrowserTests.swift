import Countersign
import CountersignServer
import CountersignTesting
import Foundation
import Testing

@Suite("A person with an e-mail address, at a browser", .timeLimit(.minutes(10)))
struct EmailInBrowserTests {
    private let all = BrowserOptions.all

    /// The mails of a server on trial.
    private struct Outbox: Sendable {
        let gateway: WatchedMailGateway
        let place: URL
        let clock: ManualClock

        /// Waits for the mail with a subject to an address, and reads it as its operator does.
        func mail(_ subject: String, to address: String) async throws -> OutboxGateway.OutboxMessage {
            let attempts = try await gateway.attempts(at: subject, to: address, advancing: clock)
            #expect(attempts.map(\.outcome) == [.accepted])
            return try #require(
                try OutboxGateway.messages(at: place.path).first { $0.to == address && $0.subject == subject })
        }

        /// The code and the link of the mail that verifies an address.
        func secrets(to address: String) async throws -> (code: String, link: String) {
            let mail = try await mail("Verify your e-mail address", to: address)
            let code = try #require(mail.text.firstMatch(of: /\n([0-9]{8})\n/)).1
            let link = try #require(mail.text.firstMatch(of: /\n(http\S+)\n/)).1
            return (String(code), String(link))
        }
    }

    private func play(_ look: BrowserOptions, _ body: (BrowserStory, Outbox) async throws -> Void) async throws {
        let place = FileManager.default.temporaryDirectory.appending(component: "countersign-outbox-\(UUID())")
        defer { try? FileManager.default.removeItem(at: place) }
        let clock = ManualClock()
        let gateway = WatchedMailGateway(OutboxGateway(at: place.path, clock: clock.source))
        try await BrowserStory.play(look, clock: clock, configuring: { $0.delivery.mailGateway = gateway }) { story in
            try await story.visitAsSomebody()
            try await story.open("/account")
            #expect(try await story.browser.has("a[href$='/account/email']"))
            try await story.open("/account/email")
            try await body(story, Outbox(gateway: gateway, place: place, clock: clock))
        }
    }

    private func send(to address: String, in browser: Browser) async throws {
        try await browser.element("#address").type(address)
        try await browser.press("Send a code")
    }

    @Test func `types it and the code of a mail, and signs in by it from then on`() async throws {
        try await play(.desk) { story, outbox in
            let browser = story.browser
            try await browser.expect("Your e-mail address", in: all)
            // The browser takes it for an address.
            try await send(to: "anna..ek@example.org", in: browser)
            try await browser.expect("Your e-mail address", answering: 422, in: all)
            #expect(try await browser.element("#problem").role() == "alert")
            #expect(try await browser.element("#address").attribute("aria-invalid") == "true")
            try await browser.element("#address").clear()

            try await send(to: "anna@example.org", in: browser)
            try await browser.expect("Your e-mail address", in: all, axe: .firstAndLast)
            #expect(try await browser.text().contains("A mail with a code is on its way to anna@example.org."))
            #expect(try await browser.element("#code").label() == "Code from the mail")
            let code = try await outbox.secrets(to: "anna@example.org").code
            try await browser.element("#code").type(code.hasPrefix("1") ? "22222222" : "11111111")
            try await browser.press("Verify the address")
            try await browser.expect("Your e-mail address", answering: 422, in: all)
            #expect(try await browser.text().contains("That code is not right."))
            #expect(try await browser.element("#code").property("value").string == "")

            try await browser.element("#code").type("\(code.prefix(4)) \(code.suffix(4))")
            try await browser.press("Verify the address")
            try await browser.expect("Where you are signed in", in: all)
            #expect(try await browser.text().contains("Your e-mail address is verified."))
            try await story.open("/account/email")
            try await browser.expect("Your e-mail address", in: all)
            #expect(try await browser.text().contains("anna@example.org is verified."))

            try await story.open("/account")
            try await browser.press("Sign out of this browser")
            try await browser.element("#username").type("anna@example.org")
            try await browser.element("#password").type(JourneyPerson.anna.password)
            try await browser.press("Sign in")
            try await browser.expect("Where you are signed in")
        }
    }

    @Test func `opens the link of a mail, changes the address by another one, and is told at the first`()
        async throws
    {
        try await play(.largePhone.withoutScripts) { story, outbox in
            let browser = story.browser
            try await send(to: "anna@example.org", in: browser)
            let first = try await outbox.secrets(to: "anna@example.org")
            #expect(first.link.hasPrefix("\(story.server.issuer)/account/email?"))
            try await browser.open(first.link)
            try await browser.expect("Your e-mail address", in: all)
            #expect(try await browser.element("#code").property("value").string == first.code)
            // The link alone changes nothing.
            try await story.open("/account")
            #expect(try await !browser.text().contains("anna@example.org"))
            try await browser.open(first.link)
            try await browser.press("Verify the address")
            try await browser.expect("Where you are signed in")
            #expect(try await browser.text().contains("Your e-mail address is verified."))

            try await browser.open(first.link)
            try await browser.expect("Your e-mail address", answering: 422, in: all)
            #expect(try await browser.text().contains("That code was used already"))
            try await send(to: "anna@example.net", in: browser)
            try await browser.open(try await outbox.secrets(to: "anna@example.net").link)
            try await browser.press("Verify the address")
            try await browser.expect("Where you are signed in")
            #expect(try await browser.text().contains("anna@example.net"))
            let notice = try await outbox.mail("Your e-mail address was changed", to: "anna@example.org")
            #expect(!notice.text.contains("anna@example.net"))
        }
    }
}
