import Countersign
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

/// Each page in each look; with COUNTERSIGN_TEST_PICTURES a picture of each is kept.
@Suite("Every page, on a phone and a desk, by day and by night", .timeLimit(.minutes(10)))
struct EveryPageTests {
    private let all = BrowserOptions.all

    @Test func `fits, is legible, and has names for everything, from the code to the undo`() async throws {
        try await BrowserStory.play { story in
            let browser = story.browser
            let codes = try await story.screen.ask()
            try await story.open("/activate")
            try await browser.expect("Sign in", in: all)
            try await browser.signIn(as: .anna)
            try await browser.expect("Enter the code on your screen", in: all)
            try await browser.open(try #require(codes.verificationURIComplete))
            try await browser.expect("Did you open this from your own screen?", in: all)
            try await browser.press("Continue")
            try await browser.expect("Approve this sign-in?", in: all)
            let second = try await browser.duplicate()
            try await browser.press("Approve")
            try await browser.expect("Approved", in: all)
            try await browser.turn(to: second)
            // The other window learns of the answer, which can be taken back there.
            try await browser.wait(for: "the answer") { try await browser.heading() == "Approved" }
            try await browser.expect("Approved", in: all)
            #expect(try await browser.offers("Undo"))
            _ = try await story.screen.poll(codes).tokens
            try await approveAnother(in: story, calling: "Küchenradio")
            try await story.open("/account")
            try await browser.expect("Where you are signed in", in: all)
            try await browser.press("What happened? Living Room TV Anna’s big screen")
            try await browser.expect("What happened", in: all, axe: .firstAndLast)
            try await story.open("/account")
            try await browser.press("Undo the approval of Living Room TV Anna’s big screen")
            try await browser.expect("Where you are signed in")
        }
    }

    @Test func `does so too when something is in the way`() async throws {
        try await BrowserStory.play { story in
            let browser = story.browser
            try await story.open("/login")
            try await browser.signIn(as: .anna, password: "wrong")
            try await browser.expect("Sign in", answering: 403, in: all)
            try await browser.signIn(as: .anna)
            try await browser.expect("Where you are signed in", in: all)
            try await story.open("/activate")
            try await browser.enter(UserCodeText("BBBB-BBBB"))
            try await browser.expect("Enter the code on your screen", answering: 422, in: all)
            try await story.open("/activate?not_mine=1")
            try await browser.expect("Enter the code on your screen", in: all)
            try await story.open("/nowhere")
            try await browser.expect("No such page", answering: 404, in: all)
            try await story.open("/activate/decision")
            try await browser.expect("That can’t be done here", answering: 405, in: all)

            let denied = try await story.screen.ask()
            try await story.open("/activate")
            try await browser.enter(denied.userCode)
            try await browser.press("Deny")
            try await browser.expect("Denied", in: all)

            let late = try await story.screen.ask()
            try await story.open("/activate")
            try await browser.enter(late.userCode)
            story.server.clock.advance(by: .seconds(late.expiresIn))
            try await browser.wait(for: "the end of its time") { try await browser.heading() == "Too late" }
            try await browser.expect("Too late", in: all)

            let next = try await story.screen.ask()
            try await story.open("/activate")
            try await browser.enter(next.userCode)
            let second = try await browser.duplicate()
            try await browser.press("Not you? Sign out of this browser")
            try await browser.expect("Sign out of this browser?", in: all)
            try await browser.press("Sign out of this browser")
            try await browser.turn(to: second)
            try await browser.press("Approve")
            try await browser.expect("This form has expired", answering: 403, in: all)
        }
    }

    @Test func `does so too with the longest words that a screen may say`() async throws {
        try await BrowserStory.play { story in
            let browser = story.browser
            let wide = String(repeating: "W", count: 80)
            let codes = try await story.screen.ask(calling: wide)
            try await story.bringToDecision(codes)
            try await browser.expect("Approve this sign-in?", in: all)
            #expect(try await browser.text().contains(String(repeating: "W", count: 64)))
            try await browser.press("Approve")
            try await story.open("/account")
            try await browser.expect("Where you are signed in", in: all)
        }
    }

    @Test func `does so too for sites, authenticators and codes`() async throws {
        try await BrowserStory.play { story in
            let browser = story.browser
            try await story.promote(.anna)
            try await story.visitAsSomebody()
            try await story.proveTwoFactors(as: .anna)
            try await story.open("/admin/sites")
            try await browser.expect("Sites", in: all)
            try await story.open("/admin/sites/add")
            try await browser.element("#name").type(String(repeating: "W", count: 100))
            try await browser.element("#text_prefixes").type("0031")
            try await browser.press("Save")
            try await browser.expect("Add a site", answering: 422, in: all)
            try await browser.element("#text_prefixes").clear()
            try await browser.press("Save")
            try await browser.expect("The site is added", in: all)
            try await story.open("/admin/sites")
            try await browser.element("#app_name").type("Bank")
            try await browser.press("Make a key")
            try await browser.expect("Sites", in: all)
            try await browser.press("Remove the key of Bank")
            try await browser.expect("Remove this key?", in: all)
            try await story.open("/account")
            try await browser.press("Add an authenticator")
            try await browser.expect("Add an authenticator", in: all)
            try await story.server.change { repositories in
                var backend = try #require(try repositories.clients.find(JourneyParties.backend))
                backend.backchannel.sendsUserCodes = true
                try repositories.clients.update(backend)
            }
            try await story.open("/account")
            try await browser.element("#backchannel_user_code").type("open sesame")
            try await browser.press("Set the code")
            try await browser.expect("Where you are signed in", in: all)
            try await story.open("/account/password")
            try await browser.expect("Change your password", in: all)
            try await story.open("/account/one-time-passwords?by=counter")
            try await browser.expect("Set up one-time passwords", in: all)
            try await story.open("/account/time-zone")
            try await browser.expect("Your time zone", in: all)
        }
    }

    @Test func `does so too for services, their requests and their administration`() async throws {
        try await BrowserStory.play { story in
            let browser = story.browser
            try await story.promote(.anna)
            try await story.visitAsSomebody()
            try await story.proveTwoFactors(as: .anna)
            try await story.open("/admin/domains")
            try await browser.expect("Services", in: all)
            try await story.addDomains(returningTo: ["https://music.example.com/done", "org.example.music:/done"])
            try await story.open("/admin/domains")
            try await browser.expect("Services", in: all)
            try await browser.press("Change Music for Everybody")
            try await browser.expect("Change a service", in: all)
            try await browser.press("Renew the credential")
            try await browser.expect("Renew this credential?", in: all)
            try await browser.press("Renew it")
            try await browser.expect("The credential is renewed", in: all)
            try await story.open("/admin/domains/add")
            try await browser.expect("Add a service", in: all)
            try await browser.element("#domain").type("https://\(String(repeating: "w", count: 200))")
            try await browser.element("#display_name").type(String(repeating: "W", count: 100))
            try await browser.element("#redirect_uris").type("javascript:alert(1)")
            try await browser.press("Save")
            try await browser.expect("Add a service", answering: 422, in: all)
            try await story.open("/admin/domains/remove?domain=sport.example.com%3A8443")
            try await browser.expect("Remove this service?", in: all)

            let device = try await JourneyDevice.registered(at: story.server.issuer)
            _ = try await story.signIn(device, for: JourneyDomains.news)
            _ = try await device.associate(with: JourneyDomains.music)
            try await story.open("/cpa/verify")
            try await browser.expect("Your answer is awaited", in: all)
            try await browser.press("See who asks for Music for Everybody")
            try await browser.expect("Approve this sign-in?", in: all)
            try await browser.press("Approve")
            try await browser.expect("Approved", in: all)
            _ = try await device.poll(device.associate(with: JourneyDomains.sport), for: JourneyDomains.sport)
            try await story.open("/account")
            try await browser.expect("Where you are signed in", in: all)

            let other = try await JourneyDevice.registered(at: story.server.issuer, calling: "Bedroom Radio")
            let asked = try await other.associate(with: JourneyDomains.music)
            try await browser.open(asked.address(returningTo: "cpacred://verification"))
            try await browser.expect("Did you open this from your own screen?", in: all)
            try await browser.press("Continue")
            try await browser.expect("Approve this sign-in?", in: all)
            try await browser.open(asked.address(returningTo: "https://evil.example/"))
            try await browser.press("Continue")
            try await browser.expect("This link leads elsewhere", answering: 400, in: all)
        }
        try await BrowserStory.play { story in
            try await story.visitAsSomebody(.ben)
            try await story.open("/admin/domains")
            try await story.browser.expect("For administrators only", answering: 403, in: all)
        }
    }

    @Test func `does so too for the people, groups, apps and records that administrators see`() async throws {
        try await BrowserStory.play { story in
            let browser = story.browser
            try await story.promote(.anna)
            try await approveSomething(in: story)
            try await story.open("/admin")
            try await browser.expect("People", in: all)
            let ben = "/admin/people/person?subject=\(JourneyPerson.ben.subject)"
            try await story.open("/admin/people/lock?subject=\(JourneyPerson.ben.subject)")
            try await browser.expect("Add a second factor first", answering: 403, in: all)
            try await story.proveTwoFactors(as: .anna)
            try await story.open(ben)
            try await browser.press("Lock")
            try await browser.expect("Lock this account?", in: all)
            try await browser.press("Lock")
            #expect(try await browser.text().contains("The account is locked."))
            try await story.open("/admin/groups")
            try await browser.element("#name").type("band")
            try await browser.press("Add a group")
            try await browser.expect("band", in: all)
            try await browser.element("#username").type("anna")
            try await browser.press("Add a person")
            try await browser.expect("band", in: all, axe: .firstAndLast)
            try await story.open("/admin/clients/client?client=\(JourneyParties.backend)")
            try await browser.expect("Backend", in: all)
            try await browser.press("Renew the secret")
            try await browser.expect("Renew this secret?", in: all)
            let client = "clients/change?client=\(JourneyParties.backend)"
            let titles = [
                client: "Change the app", "clients/add": "Add an app",
                "people?q=a": "People", "groups": "Groups", "claims": "Claims", "clients": "Apps",
                "registration-tokens": "Registration tokens", "providers": "Other providers",
                "sessions": "Sign-ins", "limits": "Limits reached", "keys": "Signing keys",
                "deliveries": "Failed messages", "audit": "Audit", "requests": "One request",
            ]
            for (path, title) in titles.sorted(by: { $0.key < $1.key }) {
                try await story.open("/admin/\(path)")
                try await browser.expect(title, in: all)
            }
        }
    }

    /// Signs Anna in, who approves a screen.
    private func approveSomething(in story: BrowserStory) async throws {
        try await story.visitAsSomebody()
        try await approveAnother(in: story, calling: "Küchenradio")
    }

    private func approveAnother(in story: BrowserStory, calling name: String) async throws {
        let codes = try await story.screen.ask(calling: name)
        try await story.open("/activate")
        try await story.browser.enter(codes.userCode)
        try await story.browser.press("Approve")
    }
}
