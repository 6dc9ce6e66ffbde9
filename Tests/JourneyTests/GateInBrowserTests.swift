import CountersignTesting
import Foundation
import Testing

/// The gate reads the machine's clock, so that the server's begins there.
@Suite("A site behind a gate, in a browser", .timeLimit(.minutes(15)))
struct GateInBrowserTests {
    @Test(arguments: GateProxy.allCases)
    func `signs a person in, knows them, and signs them out`(proxy: GateProxy) async throws {
        try await BrowserStory.play(clock: ManualClock(Date())) { story in
            try await GatedSite.with(behind: proxy, at: story.server) { site in
                let browser = story.browser
                try await browser.open("\(site.address)/photos?album=1")
                try await browser.expect("Sign in")
                try await browser.signIn(as: .anna)
                try await browser.expect("Approve this sign-in?")
                #expect(try await browser.text().contains("Sites at home"))
                try await browser.press("Approve")
                try await browser.wait(for: "the site") {
                    try await browser.address() == "\(site.address)/photos?album=1"
                }
                #expect(try await browser.text().contains(#"["Remote-User", "anna"]"#, ignoringCase: true))

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
            try await GatedSite.with(behind: proxy, at: server, overTLS: true) { site in
                for (option, version) in [("--http1.1", "1.1"), ("--http2", "2")] {
                    #expect(try await site.curl("/share/a", option) == "200 \(version)")
                    let page = try await site.curl("/x", "\(option) --header 'Accept: text/html'")
                    #expect(page == "302 \(version) \(site.address)/gate/sign-in?to=%2Fx")
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
