import Countersign
import CountersignServer
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@Suite("A page that asks, and stands open in a browser", .timeLimit(.minutes(10)))
struct OpenQuestionInBrowserTests {
    private func giveUp(_ codes: DeviceAuthorizationResponse, in story: BrowserStory) async throws {
        var form = Form()
        form["client_id"] = JourneyParties.tv.rawValue
        form["token"] = codes.deviceCode.revealed
        form["token_type_hint"] = "device_code"
        let answer = try await LoopbackHTTP.post(form, to: story.server.issuer.appending("revoke"))
        #expect(answer.response.status == .ok)
    }

    /// Asks over the back channel for the number that is returned.
    private func ask(in story: BrowserStory) async throws -> String {
        try #require(try await story.server.backendAsks(nil, showingNumber: true).verificationNumber)
    }

    @Test func `keeps what was typed until the person answers elsewhere, and then says where`() async throws {
        try await BrowserStory.play(.desk) { story in
            let desk = story.browser
            try await Browser.with(.phone) { phone in
                try await story.visitAsSomebody(in: desk)
                try await story.visitAsSomebody(in: phone)
                let number = try await ask(in: story)
                try await story.open("/account", in: desk)
                try await desk.press("See what Backend asks")
                try await desk.expect("Approve this sign-in?", in: BrowserOptions.all)
                try await desk.element("#number").type("1")
                let shown = try await desk.run("return performance.timeOrigin")

                // The phone takes the request, which answers nothing.
                try await story.open("/account", in: phone)
                try await phone.press("See what Backend asks")
                try await phone.expect("Approve this sign-in?")
                story.server.clock.advance(by: .seconds(26))
                #expect(try await desk.element("#number").property("value").string == "1")
                #expect(try await desk.run("return performance.timeOrigin") == shown)

                try await phone.element("#number").type(number)
                try await phone.press("Approve")
                try await phone.expect("Approved")
                try await desk.wait(for: "the answer of the phone") { try await desk.heading() == "Approved" }
                try await desk.expect("Approved", in: BrowserOptions.all)
                #expect(try await desk.text().contains("Answered in the browser"))
                for answer in ["Approve", "Deny"] { #expect(try await !desk.offers(answer)) }
            }
        }
    }

    @Test func `says that the screen stopped asking, or that it is too late`() async throws {
        try await BrowserStory.play(.phone) { story in
            let (codes, browser) = (try await story.screen.ask(), story.browser)
            try await story.bringToDecision(codes)
            try await giveUp(codes, in: story)
            try await browser.wait(for: "the end of the request") {
                try await browser.heading() == "The screen stopped asking"
            }
            try await browser.expect("The screen stopped asking", in: BrowserOptions.all)

            let late = try await story.screen.ask()
            try await story.open("/activate")
            try await browser.enter(late.userCode)
            try await browser.expect("Approve this sign-in?")
            story.server.clock.advance(by: .seconds(late.expiresIn))
            try await browser.wait(for: "the end of its time") { try await browser.heading() == "Too late" }
            try await browser.expect("Too late", in: BrowserOptions.all)
        }
    }

    @Test func `goes on asking without scripts, and says so after the answer`() async throws {
        try await BrowserStory.play(.desk.withoutScripts) { story in
            let codes = try await story.screen.ask()
            try await story.bringToDecision(codes)
            try await giveUp(codes, in: story)
            try await story.browser.expect("Approve this sign-in?")
            try await story.browser.press("Approve")
            try await story.browser.expect("The screen stopped asking", answering: 410)
        }
    }
}
