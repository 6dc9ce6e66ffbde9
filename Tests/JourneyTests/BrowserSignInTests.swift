import Countersign
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("A person who signs a browser in with their phone", .timeLimit(.minutes(10)))
struct BrowserSignInTests {
    /// The server is told that every address is that of a proxy, and the proxy names nobody.
    private static let noNetwork: @Sendable (inout ServerSettings) -> Void = {
        $0.trustedProxies = [AddressNetwork("127.0.0.1")!]
    }

    /// The code that a browser shows.
    private func code(in browser: Browser) async throws -> UserCodeText {
        UserCodeText(try await browser.element(".ticket .code").text())
    }

    @Test(arguments: [BrowserOptions.desk, .deskAtNight.withoutScripts, .phone])
    func `types its code, says whose it is, goes on there, and signs it out from the phone`(
        look: BrowserOptions
    ) async throws {
        try await BrowserStory.play(look) { story in
            let tv = story.browser
            try await Browser.with(.phone) { phone in
                try await story.open("/login", in: tv)
                try await tv.press("Sign in with your phone")
                try await tv.expect(
                    "Sign in with your phone", in: look.javaScript ? BrowserOptions.all : [], axe: .firstAndLast)
                #expect(try await tv.text().contains("127.0.0.1"))
                let code = try await code(in: tv)

                try await story.visitAsSomebody(.anna, in: phone)
                try await phone.enter(code)
                try await phone.expect("Approve this sign-in?", in: BrowserOptions.all)
                let asked = try await phone.text()
                #expect(asked.contains("The sign-in page of this server, in a browser"))
                #expect(asked.contains("127.0.0.1\nSeen by this server\nThe same address as yours now."))
                try await phone.element("#session option[value='15m']").click()
                try await phone.press("Approve")
                try await phone.expect("Approved")

                if !look.javaScript { try await story.open("/login/phone", in: tv) }
                try await tv.wait(for: "the answer of the phone") {
                    try await tv.heading() == "Continue as Anna Example?"
                }
                try await tv.expect(
                    "Continue as Anna Example?", in: look.javaScript ? BrowserOptions.all : [], axe: .firstAndLast)
                #expect(try await tv.text().contains("signed out of this browser after 15 minutes"))
                try await tv.press("Continue")
                try await tv.expect("Where you are signed in")
                #expect(try await tv.element(".who").text() == "Signed in as Anna Example")

                try await story.open("/account", in: phone)
                try await phone.expect("Where you are signed in", in: BrowserOptions.all)
                #expect(try await phone.text().contains("Browsers signed in from another device"))
                let name = try await phone.element("section[aria-labelledby=browsers] h3").text()
                try await phone.press("Sign out \(name)")
                try await story.open("/account", in: tv)
                try await tv.expect("Sign in")
            }
        }
    }

    @Test func `denies it there, is told so on the browser, and cancels a second one`() async throws {
        try await BrowserStory.play(.desk) { story in
            let tv = story.browser
            try await Browser.with(.phone) { phone in
                try await story.open("/login", in: tv)
                try await tv.press("Sign in with your phone")
                try await story.visitAsSomebody(.anna, in: phone)
                try await phone.enter(try await code(in: tv))
                try await phone.press("Deny")
                try await phone.expect("Denied")
                try await tv.wait(for: "the answer of the phone") { try await tv.heading() == "Denied" }
                try await tv.expect("Denied", in: BrowserOptions.all)
                try await tv.press("Show a code")
                try await tv.expect("Sign in with your phone")
                try await tv.press("Cancel")
                try await tv.expect("Cancelled", in: BrowserOptions.all)
                try await tv.press("Sign in another way")
                try await tv.expect("Sign in")
            }
        }
    }

    @Test func `types the number that it shows to a phone of another network`() async throws {
        try await BrowserStory.play(.desk, configuring: Self.noNetwork) { story in
            let tv = story.browser
            try await Browser.with(.phone) { phone in
                try await story.open("/login/phone", in: tv)
                try await tv.expect("Sign in with your phone", in: BrowserOptions.all)
                try await tv.press("Show a code")
                try await phone.open(try await story.link(shownBy: tv))
                try await phone.signIn(as: .anna)
                try await phone.press("Continue")
                try await phone.expect("Approve this sign-in?", in: BrowserOptions.all)
                try await tv.wait(for: "the number") { try await tv.has("#match .code") }
                try await tv.expect("Sign in with your phone", in: BrowserOptions.all, axe: .firstAndLast)
                try await phone.element("#number").type(try await tv.element("#match .code").text())
                try await phone.press("Approve")
                try await phone.expect("Approved", in: BrowserOptions.all)
                try await tv.wait(for: "the answer of the phone") {
                    try await tv.heading() == "Continue as Anna Example?"
                }
                try await tv.press("Not you?")
                try await tv.expect("Cancelled")
            }
        }
    }

    @Test func `types the code that the phone shows, and a wrong one before`() async throws {
        try await BrowserStory.play(.desk) { story in
            let tv = story.browser
            try await Browser.with(.phone) { phone in
                try await story.open("/login", in: tv)
                try await tv.element("#person_code").type("0000 0000")
                try await tv.press("Continue")
                try await tv.expect("That code doesn’t work", answering: 422, in: BrowserOptions.all)
                try await story.visitAsSomebody(.anna, in: phone)
                try await phone.press("Show a code to type on the screen")
                try await phone.expect("A code for your screen", in: BrowserOptions.all, axe: .firstAndLast)
                try await tv.element("#person_code").type(try await phone.element(".ticket .code").text())
                try await tv.press("Continue")
                try await tv.expect("Sign in with your phone", in: BrowserOptions.all)
                try await phone.wait(for: "the browser that asks") {
                    try await phone.heading() == "Approve this sign-in?"
                }
                try await phone.expect("Approve this sign-in?", in: BrowserOptions.all)
                try await phone.press("Approve")
                try await tv.wait(for: "the answer of the phone") {
                    try await tv.heading() == "Continue as Anna Example?"
                }
                try await tv.press("Continue")
                try await tv.expect("Where you are signed in")
            }
        }
    }

    @Test(arguments: [BrowserOptions.desk, .desk.withoutScripts])
    func `opens its link without the mark of this minute, and has to type the code`(look: BrowserOptions) async throws {
        try await BrowserStory.play(look, configuring: Self.noNetwork) { story in
            let tv = story.browser
            try await Browser.with(.phone) { phone in
                try await story.open("/login", in: tv)
                try await tv.press("Sign in with your phone")
                let code = try await code(in: tv)
                try await story.open("/activate?user_code=\(code)", in: phone)
                try await phone.signIn(as: .anna)
                try await phone.press("Continue")
                try await phone.expect("Enter the code on your screen", answering: 422)
                try await phone.enter(code)
                try await phone.expect("Approve this sign-in?")
                try await phone.press("Approve")
                try await phone.expect("Approved")
                if !look.javaScript { try await story.open("/login/phone", in: tv) }
                try await tv.wait(for: "the answer of the phone") {
                    try await tv.heading() == "Continue as Anna Example?"
                }
            }
        }
    }
}
