import Countersign
import CountersignWire
import Foundation
import Testing

@Suite("An app that comes by the browser", .timeLimit(.minutes(10)))
struct AuthorizationInBrowserTests {
    private let verifier = CodeVerifier(revealing: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")

    private func address(
        of story: BrowserStory,
        port: Int,
        _ change: (inout AuthorizationRequest) -> Void = { _ in }
    ) -> String {
        var request = AuthorizationRequest(
            client: JourneyParties.desktop,
            redirectURI: "http://127.0.0.1:\(port)/done",
            challenge: CodeChallenge(of: verifier)
        )
        request.scope = Scope([.openid, .profile])
        request.state = "xyz"
        change(&request)
        return "\(story.server.issuer)/authorize?\(request.form.encoded)"
    }

    @Test func `brings a person to sign in, asks them, and sends them back with a code`() async throws {
        try await BrowserStory.play { story in
            let browser = story.browser
            try await OtherSite.with("<p>Welcome back</p>", at: "/done") { port in
                try await browser.open(address(of: story, port: port))
                try await browser.expect("Sign in")
                try await browser.signIn(as: .anna)
                try await browser.expect("Approve this sign-in?", in: BrowserOptions.all)
                #expect(try await browser.text().contains("Desktop Player"))
                try await browser.press("Approve")
                let arrived = try #require(URLComponents(string: try await browser.address()))
                let query = Dictionary(
                    uniqueKeysWithValues: (arrived.queryItems ?? []).map { ($0.name, $0.value ?? "") }
                )
                #expect(arrived.path == "/done" && query["state"] == "xyz" && query["iss"] == story.server.issuer.text)
                #expect(query["code"]?.utf8.count == 43)

                try await browser.open(address(of: story, port: port))
                try await browser.press("Deny")
                #expect(try await browser.address().contains("error=access_denied"))

                try await story.open("/account")
                try await browser.expect("Where you are signed in", in: BrowserOptions.all)
                try await browser.press("Take it back from Desktop Player")
                try await browser.expect("Where you are signed in")
                #expect(try await !browser.text().contains("Apps that you allowed"))
            }
        }
    }

    /// A browser applies `form-action` of the page with the form to each of these redirects.
    @Test func `may lead the browser on from its address to another of its sites`() async throws {
        try await BrowserStory.play { story in
            let browser = story.browser
            try await story.visitAsSomebody()
            try await OtherSite.with("<p>Welcome home</p>", at: "/home") { home in
                let next = "http://localhost:\(home)/home"
                try await OtherSite.with("", at: "/done", leadingOnTo: next) { port in
                    try await browser.open(address(of: story, port: port))
                    try await browser.press("Approve")
                    try await browser.wait(for: "the other site") { try await browser.address() == next }
                    #expect(try await browser.text().contains("Welcome home"))
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func `gets its answer as a form, with scripts and without`(hasScripts: Bool) async throws {
        try await BrowserStory.play(hasScripts ? .desk : .desk.withoutScripts) { story in
            let browser = story.browser
            try await story.visitAsSomebody()
            try await OtherSite.with("<p>Welcome back</p>", at: "/done") { port in
                try await browser.open(address(of: story, port: port) { $0.responseMode = .formPost })
                try await browser.press("Approve")
                if !hasScripts {
                    try await browser.expect("Back to the app")
                    try await browser.press("Continue")
                }
                try await browser.wait(for: "the site") {
                    try await browser.address() == "http://127.0.0.1:\(port)/done"
                }
            }
        }
    }

    @Test func `goes nowhere from a link with an address of somebody else`() async throws {
        try await BrowserStory.play { story in
            let browser = story.browser
            try await story.visitAsSomebody()
            try await browser.open(address(of: story, port: 4711) { $0.redirectURI = "https://evil.example/" })
            try await browser.expect("This link leads elsewhere", answering: 400, in: BrowserOptions.all)
        }
    }

    @Test func `is known for its name only, and another account can be chosen`() async throws {
        try await BrowserStory.play { story in
            let browser = story.browser
            try await story.visitAsSomebody()
            try await browser.open(address(of: story, port: 4711))
            try await browser.expect("Approve this sign-in?")
            try await browser.press("Use another account")
            try await browser.signIn(as: .ben)
            try await browser.expect("Approve this sign-in?")
            #expect(try await browser.text().contains(JourneyPerson.ben.name))
        }
    }
}
