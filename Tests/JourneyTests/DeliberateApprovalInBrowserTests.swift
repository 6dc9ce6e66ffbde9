import Countersign
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

/// The clock of the server stands still unless the story moves it, so that the delays of the page and of the server are
/// seen one by one.
@Suite("A person who approves after a delay", .timeLimit(.minutes(10)))
struct DeliberateApprovalInBrowserTests {
    private func play(
        _ look: BrowserOptions,
        _ clock: ManualClock,
        _ body: (BrowserStory) async throws -> Void
    ) async throws {
        try await BrowserStory.play(
            look, clock: clock, configuring: { $0.minimumEvidence = [.openid: ScopeDemands([.deliberate])] }, body)
    }

    private func isDisabled(_ browser: Browser) async throws -> Bool {
        try await browser.run("return document.querySelector('button[data-ready-in]').disabled") == .bool(true)
    }

    @Test func `sees the button wake, and is not believed by the server any earlier`() async throws {
        let clock = ManualClock()
        try await play(.desk, clock) { story in
            let browser = story.browser
            let codes = try await story.screen.ask(for: Scope([.openid]))
            try await story.bringToDecision(codes)
            // On a busy machine it may have woken before it is looked at.
            let slept = try await browser.run(
                """
                const button = document.querySelector('button[data-ready-in]')
                return button.disabled || performance.now() >= 1000 * button.dataset.readyIn
                """)
            #expect(slept == .bool(true))
            try await browser.wait(for: "the button") { try await !isDisabled(browser) }
            // The server does not take the browser's word.
            try await browser.press("Approve")
            try await browser.run("document.querySelector('button[data-ready-in]').disabled = true")
            try await browser.expect("Approve this sign-in?")
            for look in BrowserOptions.all {
                try await browser.look(look)
                try await browser.run("document.querySelector('button[data-ready-in]').disabled = true")
                try await browser.expect("Approve this sign-in?", in: [look])
            }
            clock.advance(by: .seconds(3))
            try await browser.run("document.querySelector('button[data-ready-in]').disabled = false")
            try await browser.press("Approve")
            try await browser.expect("Approved")
            #expect(try await story.isActive(story.screen.poll(codes).tokens))
        }
    }

    @Test func `approves without scripts, and no earlier either`() async throws {
        let clock = ManualClock()
        try await play(.phone.withoutScripts, clock) { story in
            let browser = story.browser
            let codes = try await story.screen.ask(for: Scope([.openid]))
            try await story.bringToDecision(codes)
            try await browser.press("Approve")
            try await browser.expect("Approve this sign-in?")
            clock.advance(by: .seconds(3))
            try await browser.press("Approve")
            try await browser.expect("Approved")
        }
    }
}
