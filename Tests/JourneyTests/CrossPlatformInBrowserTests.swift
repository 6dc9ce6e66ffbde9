import Countersign
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@Suite("A person with a browser, and a device that asks for a service", .timeLimit(.minutes(10)))
struct CrossPlatformInBrowserTests {
    @Test func `types its code, sees the service, and approves`() async throws {
        try await BrowserStory.play(.deskAtNight.withoutScripts) { story in
            try await story.addDomains()
            let device = try await JourneyDevice.registered(at: story.server.issuer)
            let association = try await device.associate(with: JourneyDomains.music)
            let browser = story.browser

            try await browser.open(try #require(association.address))
            try await browser.expect("Sign in")
            try await browser.signIn(as: .anna)
            try await browser.expect("Enter the code on your screen")
            try await browser.enter(try #require(association.code))
            try await browser.expect("Approve this sign-in?")
            let shown = try await browser.text()
            #expect(shown.contains("Kitchen Radio\nThe screen’s own words, not verified"))
            #expect(shown.contains("Music for Everybody (music.example.com)\nVerified by this server"))
            #expect(shown.contains("127.0.0.1\nSeen by this server\nThe same address as yours now."))
            #expect(try await device.poll(association, for: JourneyDomains.music) == .pending)

            try await browser.press("Approve")
            try await browser.expect("Approved")
            let token = try await device.poll(association, for: JourneyDomains.music).token
            #expect(token.userName == JourneyPerson.anna.name)
            #expect(token.domainDisplayName == "Music for Everybody")
        }
    }

    @Test func `confirms a further service without a code`() async throws {
        try await BrowserStory.play(.phoneAtNight) { story in
            try await story.addDomains()
            let device = try await JourneyDevice.registered(at: story.server.issuer)
            try await story.visitAsSomebody()
            _ = try await story.signIn(device, for: JourneyDomains.news)
            let association = try await device.associate(with: JourneyDomains.music)
            #expect(association.code == nil)
            let browser = story.browser

            try await browser.open(try #require(association.address))
            try await browser.expect("Your answer is awaited")
            #expect(try await browser.has("#user_code"))
            try await browser.press("See who asks for Music for Everybody")
            try await browser.expect("Approve this sign-in?")
            #expect(try await browser.text().contains("one more service as you"))
            #expect(try await device.poll(association, for: JourneyDomains.music) == .pending)
            try await browser.press("Approve")
            try await browser.expect("Approved")
            let token = try await device.poll(association, for: JourneyDomains.music).token
            #expect(token.userName == JourneyPerson.anna.name)
            try await story.open("/activate")
            try await browser.expect("Enter the code on your screen")
        }
    }

    @Test func `is not asked for two services of one group, and ends both at once`() async throws {
        try await BrowserStory.play(.phone) { story in
            try await story.addDomains()
            let device = try await JourneyDevice.registered(at: story.server.issuer)
            try await story.visitAsSomebody()
            _ = try await story.signIn(device, for: JourneyDomains.news)
            let association = try await device.associate(with: JourneyDomains.sport)
            #expect(association.shape == .automatic)
            let token = try await device.poll(association, for: JourneyDomains.sport).token
            #expect(token.userName == JourneyPerson.anna.name && token.domain == JourneyDomains.sport)

            try await story.open("/account")
            try await story.browser.expect("Where you are signed in")
            let shown = try await story.browser.text()
            #expect(shown.contains("The News (news.example.com)"))
            #expect(shown.contains("The Sport (sport.example.com:8443)"))
            try await story.browser.press("Sign out Kitchen Radio")
            try await story.browser.expect("Where you are signed in")
            #expect(try await story.browser.text().contains("No screen is signed in as you."))
            for domain in [JourneyDomains.news, JourneyDomains.sport] {
                #expect(try await device.renew(for: domain) == .refused(.invalidClient))
            }
        }
    }

    @Test(arguments: [("Approve", "success"), ("Deny", "cancelled")])
    func `comes from an app that shows the pages itself, and goes back into it`(
        decision: String, result: String
    ) async throws {
        var look = BrowserOptions.phone
        look.logsNetwork = true
        try await BrowserStory.play(look) { story in
            try await story.addDomains()
            let device = try await JourneyDevice.registered(at: story.server.issuer)
            let association = try await device.associate(with: JourneyDomains.music)
            let browser = story.browser
            try await story.visitAsSomebody()
            try await browser.open(association.address(returningTo: "cpacred://verification"))
            try await browser.expect("Did you open this from your own screen?")
            try await browser.press("Continue")
            try await browser.expect("Approve this sign-in?")

            // No program here knows the scheme, so the browser sets out and stays where it is.
            try await browser.pressAndStay(decision)
            let address = "cpacred://verification?result=\(result)"
            try await browser.wait(for: "the way back into the app") {
                try await browser.departures().contains(address)
            }
            #expect(try await browser.complaints() == [])
            let answer = try await device.poll(association, for: JourneyDomains.music)
            if result == "success" {
                #expect(try answer.token.userName == JourneyPerson.anna.name)
            } else {
                #expect(answer == .refused(.cancelled))
            }
        }
    }

    @Test(arguments: [("Approve", "success"), ("Deny", "cancelled")])
    func `comes from an app on the same device, and goes back to it`(decision: String, result: String) async throws {
        try await BrowserStory.play(.desk.withoutScripts) { story in
            try await OtherSite.with("<h1>Back in the app</h1>") { port in
                let callback = "http://127.0.0.1:\(port)/"
                try await story.addDomains(returningTo: [callback])
                let device = try await JourneyDevice.registered(at: story.server.issuer)
                let association = try await device.associate(with: JourneyDomains.music)
                let browser = story.browser
                // Signing in on the way does not lose where to go back to.
                try await browser.open(association.address(returningTo: callback))
                try await browser.expect("Sign in")
                try await browser.signIn(as: .anna)
                try await browser.expect("Did you open this from your own screen?")
                try await browser.press("Continue")
                try await browser.press(decision)

                #expect(try await browser.heading() == "Back in the app")
                #expect(try await browser.address() == "\(callback)?result=\(result)")
                #expect(try await browser.complaints() == [])
                let answer = try await device.poll(association, for: JourneyDomains.music)
                #expect(answer == .refused(.cancelled) || result == "success")
                if result == "success" { #expect(try answer.token.userName != nil) }
            }
        }
    }

    @Test func `is led to no other address`() async throws {
        try await BrowserStory.play(.desk) { story in
            try await OtherSite.with("<h1>A prize</h1>") { port in
                try await story.addDomains(returningTo: ["http://127.0.0.1:\(port)/done"])
                let device = try await JourneyDevice.registered(at: story.server.issuer)
                let association = try await device.associate(with: JourneyDomains.music)
                let browser = story.browser
                try await story.visitAsSomebody()
                for stray in ["http://127.0.0.1:\(port)/", "http://localhost:\(port)/done", "javascript:alert(1)"] {
                    try await browser.open(association.address(returningTo: stray))
                    try await browser.press("Continue")
                    try await browser.expect("This link leads elsewhere", answering: 400)
                    #expect(try await browser.address().hasPrefix(story.server.issuer.text))
                }
                #expect(try await device.poll(association, for: JourneyDomains.music) == .pending)
            }
        }
    }

    @Test func `refuses, which ties nothing and stays so`() async throws {
        try await BrowserStory.play(.phone) { story in
            try await story.addDomains()
            let device = try await JourneyDevice.registered(at: story.server.issuer)
            let association = try await device.associate(with: JourneyDomains.news)
            let browser = story.browser
            let code = try #require(association.code)
            try await story.visitAsSomebody()
            try await browser.enter(code)
            try await browser.press("Deny")
            try await browser.expect("Denied")

            try await story.open("/cpa/verify")
            // The person is shown what they answered.
            try await browser.enter(code)
            try await browser.expect("Denied")
            #expect(try await device.poll(association, for: JourneyDomains.news) == .refused(.cancelled))
            #expect(try await device.renew(for: JourneyDomains.news).token.userName == nil)
            #expect(try await device.associate(with: JourneyDomains.sport).code != nil)
        }
    }

    @Test func `lets a confirmation expire, which hides nothing`() async throws {
        try await BrowserStory.play(.phone) { story in
            try await story.addDomains()
            let device = try await JourneyDevice.registered(at: story.server.issuer)
            try await story.visitAsSomebody()
            _ = try await story.signIn(device, for: JourneyDomains.news)
            let association = try await device.associate(with: JourneyDomains.music)
            story.server.clock.advance(by: .seconds(association.expiresIn))

            try await story.open("/cpa/verify")
            try await story.browser.expect("Enter the code on your screen")
            #expect(try await device.poll(association, for: JourneyDomains.music) == .refused(.expired))
            let other = try await JourneyDevice.registered(at: story.server.issuer, calling: "Bedroom Radio")
            #expect(try await story.signIn(other, for: JourneyDomains.music).userName == JourneyPerson.anna.name)
        }
    }
}
