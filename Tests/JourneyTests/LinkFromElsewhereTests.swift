import Countersign
import CountersignRequester
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

/// A person opens the link of a screen that is not in their network, as far as the server can see. The server is told
/// that every address is that of a proxy, and the proxy names nobody.
///
/// Standard: RFC 10027; RFC 8628 §3.3.1.
@Suite("A person who opens a link elsewhere", .timeLimit(.minutes(10)))
struct LinkFromElsewhereTests {
    private func play(_ look: BrowserOptions, _ body: (BrowserStory) async throws -> Void) async throws {
        try await JourneyServer.with(configuring: { $0.trustedProxies = [AddressNetwork("127.0.0.1")!] }) { server in
            try await Browser.with(look) { browser in
                try await body(
                    BrowserStory(server: server, browser: browser, screen: JourneyScreen(at: server.issuer)))
            }
        }
    }

    @Test(arguments: [BrowserOptions.phone, .desk])
    func `types the number that a screen in Swift shows`(look: BrowserOptions) async throws {
        try await play(look) { story in
            let requester = JourneyRequester(at: story.server, showingNumbers: true)
            let (result, invitation) = try await requester.begin()
            let events = requester.signIn.events
            let number = Task { () async throws -> VerificationNumber in
                for await event in events {
                    if case .verificationNumber(let number?) = event { return number }
                }
                throw CancellationError()
            }
            let browser = story.browser
            try await browser.open(try #require(invitation.verificationURIComplete).absoluteString)
            try await browser.signIn(as: .anna)
            try await browser.expect("Did you open this from your own screen?", in: [look])
            try await browser.press("Continue")
            try await browser.expect("Approve this sign-in?", in: [look])
            let shown = try await number.value
            #expect(try await browser.text().contains("not in the network that you use"))
            try await browser.element("#number").type(shown.rawValue == "00" ? "01" : "00")
            try await browser.press("Approve")
            try await browser.expect("Approve this sign-in?", in: [look])
            #expect(try await browser.text().contains("That is not the number"))
            try await browser.element("#number").type(shown.rawValue)
            try await browser.press("Approve")
            try await browser.expect("Approved")
            #expect(try await result.value.get().identity?.displayName == "Anna Example")
        }
    }

    @Test func `types the number of a device that asks for a service, and goes back into the app that named itself`()
        async throws
    {
        var look = BrowserOptions.phone
        look.logsNetwork = true
        try await play(look) { story in
            try await story.addDomains()
            var options = SignInOptions()
            (options.showsNumber, options.renewsLink) = (true, true)
            let provider = CrossPlatformProvider(
                at: try Issuer(story.server.issuer.appending("cpa")),
                as: ClientRegistrationRequest(
                    clientName: "Kitchen Radio", softwareID: "com.example.radio", softwareVersion: "1.0"),
                keepingTokensIn: MemoryTokenStore(),
                options: options,
                in: RequesterContext(over: OverheardTransport(), clock: story.server.clock.skipping, random: .system)
            )
            let (shown, showing) = AsyncStream.makeStream(of: ScreenOfApp.Shown.self)
            let result = Task {
                try await provider.requestToken(
                    for: JourneyDomains.music, ofType: .user, presenting: ScreenOfApp(showing: showing))
            }
            var screen = shown.makeAsyncIterator()
            guard case .page(let page)? = await screen.next() else { throw CancellationError() }
            let browser = story.browser
            let address = page.address(returningTo: SignInPage.usualReturn).absoluteString
            #expect(address.contains("&at="))
            try await browser.open(address)
            try await browser.signIn(as: .anna)
            try await browser.expect("Did you open this from your own screen?")
            try await browser.press("Continue")
            try await browser.expect("Approve this sign-in?", in: [look])
            guard case .number(let number)? = await screen.next() else { throw CancellationError() }
            try await browser.element("#number").type(number.rawValue)
            // No program here knows the scheme, so the browser sets out and stays where it is.
            try await browser.pressAndStay("Approve")
            try await browser.wait(for: "the way back into the app") {
                try await browser.departures().contains("cpacred://verification?result=success")
            }
            #expect(try await result.value.userName == JourneyPerson.anna.name)
        }
    }

    @Test(arguments: [BrowserOptions.phone, .desk])
    func `types the whole code for a client that knows RFC 8628 only`(look: BrowserOptions) async throws {
        try await play(look) { story in
            let codes = try await story.screen.ask()
            let browser = story.browser
            try await browser.open(try #require(codes.verificationURIComplete))
            try await browser.signIn(as: .anna)
            try await browser.press("Continue")
            try await browser.expect("Enter the code on your screen", answering: 422, in: [look])
            #expect(try await browser.text().contains("a link or a picture is not enough"))
            try await browser.enter(codes.userCode)
            try await browser.expect("Approve this sign-in?")
            try await browser.press("Approve")
            try await browser.expect("Approved")
            #expect(try await story.isActive(story.screen.poll(codes).tokens))
        }
    }
}

/// The screen of an app, as far as a story needs it: the page to open, and the number to show.
private struct ScreenOfApp: SignInPresentation {
    enum Shown: Sendable {
        case page(SignInPage)
        case number(VerificationNumber)
    }

    let showing: AsyncStream<Shown>.Continuation
    let showsNumbers = true

    func show(_ page: SignInPage) async { showing.yield(.page(page)) }
    func replace(with page: SignInPage) async { showing.yield(.page(page)) }
    func dismiss() async {}

    func tell(_ event: SignInEvent) async {
        if case .verificationNumber(let number?) = event { showing.yield(.number(number)) }
    }
}
