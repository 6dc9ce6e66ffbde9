import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import TestShell
import Testing

/// The gate reads the machine's clock, so that the server's begins there.
@Suite("A site behind a gate, in a browser", .timeLimit(.minutes(15)))
struct GateInBrowserTests {
    /// Approves the sign-in to the sites as Anna, and expects to be back at a page, which knows her.
    private func approve(in browser: Browser, for page: String) async throws {
        try await browser.expect("Approve this sign-in?")
        #expect(try await browser.text().contains("Sites at home"))
        try await browser.press("Approve")
        try await browser.wait(for: "the site") { try await browser.address() == page }
        #expect(try await browser.text().contains(#"["Remote-User", "anna"]"#, ignoringCase: true))
    }

    @Test(arguments: GateProxy.allCases)
    func `signs a person in, knows them, and signs them out`(proxy: GateProxy) async throws {
        try await BrowserStory.play(clock: ManualClock(Date())) { story in
            try await GatedSite.with(behind: proxy, at: story.server) { site in
                let browser = story.browser
                try await browser.open("\(site.address)/photos?album=1")
                try await browser.expect("Sign in")
                try await browser.signIn(as: .anna)
                try await approve(in: browser, for: "\(site.address)/photos?album=1")

                try await browser.open("\(site.address)/admin/")
                #expect(try await !browser.text().contains("Remote-User"))
                let refused = try await browser.complaints()
                #expect(refused.count == 1 && refused[0].contains("403"))

                try await browser.open("\(site.address)/gate/sign-out")
                try await browser.expect("Sign out here, too?")
                try await browser.press("Sign out")
                try await browser.wait(for: "the page of the gate") {
                    try await browser.address() == "\(site.address)/gate/signed-out"
                }
                #expect(try await browser.heading() == "You are signed out")
                try await browser.open("\(site.address)/photos")
                try await browser.expect("Sign in")
            }
        }
    }

    @Test(arguments: GateProxy.allCases)
    func `answers over TLS, by both versions of HTTP`(proxy: GateProxy) async throws {
        try await JourneyServer.with(clock: ManualClock(Date())) { server in
            try await GatedSite.with(behind: proxy, at: server, named: .addressOverTLS) { site in
                for (option, version) in [("--http1.1", "1.1"), ("--http2", "2")] {
                    #expect(try await site.curl("/share/a", option) == "200 \(version)")
                    let page = try await site.curl("/x", "\(option) --header 'Accept: text/html'")
                    #expect(page == "302 \(version) \(site.address)/gate/sign-in?to=%2Fx")
                }
            }
        }
    }

    // MARK: Rules

    @Test(arguments: GateProxy.allCases)
    func `leads to the sign-in that a path demands, and back`(proxy: GateProxy) async throws {
        // Browsers make no passkeys for an address.
        try await JourneyServer.with(clock: ManualClock(Date()), host: "localhost") { server in
            try await Browser.with(.desk) { browser in
                let story = BrowserStory(server: server, browser: browser, screen: JourneyScreen(at: server.issuer))
                try await GatedSite.with(behind: proxy, at: server) { site in
                    let cookie = try await site.signIn(browser)
                    // The browser that asked is the one in which Anna approved.
                    #expect(try await site.answer("/near/a", cookie: cookie).status == 200)
                    #expect(try await site.answer("/vault/a", cookie: cookie).status == 401)
                    try await browser.open("\(site.address)/vault/a")
                    #expect(try await browser.address().hasPrefix("\(site.address)/gate/callback?"))
                    #expect(try await browser.text().contains("This site needs a stronger sign-in"))
                    let refused = try await browser.complaints()
                    #expect(refused.count == 1 && refused[0].contains("403"), "\(refused)")

                    _ = try await browser.addAuthenticator()
                    try await story.addPasskey("Phone")
                    try await browser.open("\(site.address)/vault/a")
                    // The browser offers the passkey on the sign-in page, and its person takes it at once.
                    try await browser.wait(for: "the site") {
                        try await browser.address() == "\(site.address)/vault/a"
                    }
                    #expect(try await browser.text().contains(#"["Remote-User", "anna"]"#, ignoringCase: true))
                    let stronger = try await site.cookies(in: browser)
                    #expect(try await site.answer("/vault/a", cookie: stronger).status == 200)
                    #expect(try await site.answer("/x", cookie: cookie).status == 401)
                }
            }
        }
    }

    /// The server's clock is behind for as long as the first sign-in lasts, so that this one is old by the gate's.
    @Test(arguments: [GateProxy.nginx, .haproxy])
    func `asks a person to sign in again where a path demands a recent sign-in`(proxy: GateProxy) async throws {
        try await BrowserStory.play(clock: ManualClock(Date(timeIntervalSinceNow: -1_800))) { story in
            try await GatedSite.with(behind: proxy, at: story.server) { site in
                let browser = story.browser
                let cookie = try await site.signIn(browser)
                story.server.clock.advance(by: .seconds(1_800))
                #expect(try await site.answer("/x", cookie: cookie).status == 200)
                #expect(try await site.answer("/recent/a", cookie: cookie).status == 401)
                try await browser.open("\(site.address)/recent/a?b=c")
                try await browser.expect("Sign in")
                try await browser.signIn(as: .anna)
                try await browser.wait(for: "the site") {
                    try await browser.address() == "\(site.address)/recent/a?b=c"
                }
                #expect(try await browser.text().contains(#"["Remote-User", "anna"]"#, ignoringCase: true))
                let recent = try await site.cookies(in: browser)
                #expect(try await site.answer("/recent/a", cookie: recent).status == 200)
            }
        }
    }

    @Test(arguments: GateProxy.allCases)
    func `lets a program in by a token that was issued for the site`(proxy: GateProxy) async throws {
        try await BrowserStory.play(clock: ManualClock(Date())) { story in
            try await GatedSite.with(behind: proxy, at: story.server) { site in
                let (sync, films) = (ClientID("sync"), ClientID("films"))
                try await story.server.registerProgram(sync, called: "Photo sync", for: site.address)
                let other = "http://\(site.otherHosts[0])"
                try await story.server.registerProgram(films, called: "Film sync", for: other)
                let all = Scope([.openid, .profile, ScopeWord("programmes")])
                try await story.visitAsSomebody()
                func header(of client: ClientID, for scope: Scope) async throws -> String {
                    let screen = JourneyScreen(at: story.server.issuer, as: client)
                    let codes = try await screen.ask(for: scope)
                    try await story.open("/activate")
                    try await story.browser.enter(codes.userCode)
                    try await story.browser.press("Approve")
                    try await story.browser.expect("Approved")
                    return "Authorization: Bearer \(try await screen.poll(codes).tokens.accessToken.revealed)"
                }

                let good = try await header(of: sync, for: all)
                let answer = try await site.answer("/api/albums", [good])
                #expect(answer.status == 200 && answer.received?.value("Remote-User") == "anna")
                let elsewhere = try await site.answer("/x", [good])
                #expect(elsewhere.status == 401 && elsewhere.received == nil)
                let less = try await site.answer("/api/albums", [header(of: sync, for: Scope([.openid, .profile]))])
                #expect(less.status == 403 && less.received == nil)
                #expect(less.challenge?.contains(#"error="insufficient_scope""#) == true)
                // nginx would make an error of its own of another status.
                let broken = try await site.answer("/api/albums", ["Authorization: Bearer a b"])
                #expect(broken.status == (proxy == .nginx ? 401 : 400) && broken.received == nil)
                // The gate knows the token of its other site, and nothing of that for another service.
                for client in [films, JourneyParties.tv] {
                    let foreign = try await site.answer("/api/albums", [header(of: client, for: all)])
                    #expect(foreign.status == 401 && foreign.received == nil, "\(client)")
                }
                #expect(try await site.answer("/api/albums").status == 401)
            }
        }
    }

    // MARK: Sessions

    @Test(arguments: GateProxy.allCases)
    func `knows a person at all sites below one domain, and at none beside it`(proxy: GateProxy) async throws {
        var look = BrowserOptions.desk
        (look.acceptsAnyCertificate, look.logsNetwork) = (true, true)
        try await BrowserStory.play(look, clock: ManualClock(Date())) { story in
            try await GatedSite.with(behind: proxy, at: story.server, named: .domain) { site in
                let browser = story.browser
                let (photos, films, shop) = (site.addresses[0], site.addresses[1], site.addresses[2])
                let cookie = try await site.signIn(browser)
                #expect(try await browser.departures().contains { $0.hasPrefix("\(story.server.issuer)/") })
                try await browser.open("\(films)/x")
                #expect(try await browser.address() == "\(films)/x")
                #expect(try await browser.text().contains(#"["Remote-User", "anna"]"#, ignoringCase: true))
                #expect(try await !browser.departures().contains { $0.hasPrefix("\(story.server.issuer)/") })

                let sent = "--cookie \(Shell.word(cookie))"
                #expect(try await site.curl("/x", sent, at: photos) == "200 2")
                #expect(try await site.curl("/x", sent, at: films) == "200 2")
                #expect(try await site.curl("/x", sent, at: shop) == "401 2")
                let renamed = "--cookie \(Shell.word(cookie.replacing("__Secure-", with: "__Host-")))"
                #expect(try await site.curl("/x", renamed, at: shop) == "401 2")
                #expect(try await site.curl("/x", renamed, at: films) == "401 2")

                try await browser.open("\(films)/gate/sign-out")
                try await browser.expect("Sign out here, too?")
                try await browser.press("Sign out")
                try await browser.wait(for: "the page of the gate") {
                    try await browser.address() == "\(films)/gate/signed-out"
                }
                #expect(try await site.curl("/x", sent, at: photos) == "401 2")
            }
        }
    }

    @Test func `signs a person in by the phone that scans the sign-in page, until the phone ends it`() async throws {
        try await BrowserStory.play(clock: ManualClock(Date())) { story in
            try await GatedSite.with(behind: .caddy, at: story.server) { site in
                let browser = story.browser
                try await Browser.with(.phone) { phone in
                    try await browser.open("\(site.address)/photos?album=1")
                    try await browser.press("Sign in with your phone")
                    try await phone.open(try await story.link(shownBy: browser))
                    try await phone.signIn(as: .anna)
                    try await phone.press("Continue")
                    try await phone.expect("Approve this sign-in?")
                    try await phone.press("Approve")
                    try await phone.expect("Approved")
                    try await browser.arrive(at: "Continue as Anna Example?")
                    try await browser.press("Continue")
                    try await approve(in: browser, for: "\(site.address)/photos?album=1")

                    try await story.open("/account", in: phone)
                    let name = try await phone.element("section[aria-labelledby=browsers] h3").text()
                    try await phone.press("Sign out \(name)")
                    try await browser.wait(for: "the sign-in page") {
                        try await browser.open("\(site.address)/photos")
                        return try await browser.address().hasPrefix("\(story.server.issuer)/login?")
                    }
                    try await browser.expect("Sign in")
                }
            }
        }
    }

    // MARK: Recipes of Documentation/Gate.md

    @Test func `makes accounts of a media server by the name of the person`() async throws {
        try await BrowserStory.play(clock: ManualClock(Date())) { story in
            try await GatedSite.with(behind: .caddy, at: story.server) { site in
                let cookie = try await site.signIn(story.browser)
                #expect(try await site.answer("/media/", cookie: cookie).received?.account == "Anna Example")
                #expect(
                    try await site.answer("/media/", ["Remote-User: root"], cookie: cookie).received?.account
                        == "Anna Example")
                #expect(try await site.answer("/media/").status == 401)
            }
        }
    }

    @Test func `proves the person to a dashboard by a signed statement`() async throws {
        try await BrowserStory.play(clock: ManualClock(Date())) { story in
            try await GatedSite.with(behind: .haproxy, at: story.server) { site in
                let cookie = try await site.signIn(story.browser)
                #expect(try await site.answer("/dashboard/", cookie: cookie).received?.account == "anna")
            }
        }
    }

    @Test func `keeps files of nginx for people who are signed in`() async throws {
        try await BrowserStory.play(clock: ManualClock(Date())) { story in
            try await GatedSite.with(behind: .nginx, at: story.server) { site in
                #expect(try await site.answer("/files/a.txt").status == 401)
                let cookie = try await site.signIn(story.browser)
                #expect(try await site.answer("/files/a.txt", cookie: cookie).status == 200)
            }
        }
    }
}

extension String {
    fileprivate func contains(_ other: String, ignoringCase: Bool) -> Bool {
        range(of: other, options: ignoringCase ? .caseInsensitive : []) != nil
    }
}
