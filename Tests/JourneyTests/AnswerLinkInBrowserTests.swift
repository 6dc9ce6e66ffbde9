import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("The link in a text message, in a browser", .timeLimit(.minutes(10)))
struct AnswerLinkInBrowserTests {
    private let all = BrowserOptions.all

    @Test func `asks a person who is not signed in, and takes the number or the denial`() async throws {
        let telephone = TextedTelephone()
        try await BrowserStory.play(
            .phone, configuring: { $0.delivery = DeliverySettings(gateway: telephone) }
        ) { story in
            let environment = try await JourneyCustomerSite.added(to: story.server)
            let browser = story.browser
            let asked = try await environment.ask(by: "sms")
            try await browser.open(try await telephone.link(advancing: story.server.clock))
            try await browser.expect("Approve this sign-in?", in: all)
            #expect(try await browser.text().contains("Pay 5 euro"))
            let number = try #require(asked.number)
            try await browser.element("#number").type(number == "00" ? "01" : "00")
            try await browser.press("Approve")
            try await browser.expect("Approve this sign-in?", in: all)
            try await browser.element("#number").type(number)
            try await browser.press("Approve")
            try await browser.expect("Approved", in: all)

            _ = try await environment.ask(by: "sms")
            try await browser.open(try await telephone.link(advancing: story.server.clock))
            try await browser.expect("Approve this sign-in?")
            try await browser.press("Deny")
            try await browser.expect("Denied", in: all)

            // Enter in the field approves.
            let entered = try await environment.ask(by: "sms")
            try await browser.open(try await telephone.link(advancing: story.server.clock))
            try await browser.element("#number").type(try #require(entered.number))
            try await browser.leaving { try await browser.press(.enter) }
            try await browser.expect("Approved")

            _ = try await environment.ask(by: "sms")
            let late = try await telephone.link(advancing: story.server.clock)
            story.server.clock.advance(by: .seconds(301))
            try await browser.open(late)
            try await browser.expect("Too late", answering: 410, in: all)
        }
    }
}

/// A telephone that receives texts.
private actor TextedTelephone: SMSGateway {
    private var texts: [String] = []

    func send(_ message: TextMessage) -> DeliveryOutcome {
        texts.append(message.text.revealed)
        return .accepted
    }

    /// The link in the next text; the clock goes on until it has come.
    func link(advancing clock: ManualClock) async throws -> String {
        for _ in 0..<2_000 {
            if !texts.isEmpty {
                let text = texts.removeFirst()
                return String(try #require(text.firstMatch(of: /http\S+/)).0)
            }
            clock.advance(by: .milliseconds(100))
            try await Task.sleep(for: .milliseconds(10))
        }
        throw NoText()
    }

    struct NoText: Error {}
}
