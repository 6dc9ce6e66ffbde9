import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

/// The acts of the pages of administrators, each played to its end.
@Suite("An administrator with a browser, about people, apps and records", .timeLimit(.minutes(10)))
struct AdministrationInBrowserTests {
    private let all = BrowserOptions.all
    private let new = "seven slow snails"
    private let ben = PeoplePage.address(of: JourneyPerson.ben.subject)

    /// Plays a story in which Anna is an operator who has just proved two factors.
    private func play(_ look: BrowserOptions, _ body: (BrowserStory) async throws -> Void) async throws {
        try await BrowserStory.play(look) { story in
            try await story.promote(.anna)
            try await story.visitAsSomebody()
            try await story.proveTwoFactors(as: .anna)
            try await body(story)
        }
    }

    /// Expects the page about somebody, which says what was done.
    private func expect(_ heading: String, saying notice: String, in browser: Browser) async throws {
        try await browser.expect(heading)
        #expect(try await browser.element(".notice").text() == notice)
    }

    private func typeNewPassword(in browser: Browser) async throws {
        try await browser.element("#new_password").type(new)
        try await browser.element("#new_password_again").type(new)
    }

    @Test func `invites somebody, who makes an account by the link`() async throws {
        try await play(.largePhone) { story in
            let browser = story.browser
            try await story.open("/admin/people")
            try await browser.element("#email").type("no address")
            try await browser.press("Make the link")
            try await browser.expect("People", answering: 422, in: all)
            try await browser.element("#email").clear()
            try await browser.element("#email").type("carla@example.org")
            try await browser.press("Make the link")
            try await browser.expect("The link is made", in: all)
            let link = try await browser.element(".credential").text()
            try await Browser.with(.phone) { other in
                try await other.open(link)
                try await other.wait(for: "the invitation") { try await other.heading() == "Create your account" }
                try await other.element("#name").type("Carla Example")
                try await typeNewPassword(in: other)
                try await other.press("Create the account")
                try await other.expect("Where you are signed in")
            }
            try await story.open("/admin/people")
            #expect(try await !browser.offers("Withdraw carla@example.org"))
            try await browser.element("#email").type("dora@example.org")
            try await browser.press("Make the link")
            try await browser.press("Back: People")
            try await browser.press("Withdraw dora@example.org")
            try await browser.expect("Withdraw this invitation?", in: all)
            try await browser.press("Withdraw")
            try await expect("People", saying: "The invitation is withdrawn.", in: browser)

            try await story.open("/admin/people?q=carla")
            try await browser.press("Carla Example")
            try await browser.expect("Carla Example")
        }
    }

    @Test func `locks somebody out, lets them in again, and signs them out everywhere`() async throws {
        try await play(.largePhone.withoutScripts) { story in
            let browser = story.browser
            try await Browser.with(.phone) { other in
                try await story.visitAsSomebody(.ben, in: other)
                try await story.open(ben)
                try await browser.press("Lock")
                try await browser.expect("Lock this account?")
                try await browser.press("Lock")
                try await expect("Ben Example", saying: "The account is locked.", in: browser)
                try await story.open("/account", in: other)
                try await other.expect("Sign in")

                try await browser.press("Unlock")
                try await browser.expect("Unlock this account?", in: all)
                try await browser.press("Unlock")
                try await expect("Ben Example", saying: "The account is unlocked.", in: browser)
                try await other.signIn(as: .ben)
                try await other.expect("Where you are signed in")

                try await browser.press("Sign out everywhere")
                try await browser.expect("Sign this person out everywhere?", in: all)
                try await browser.press("Sign out everywhere")
                try await expect("Ben Example", saying: "The person is signed out everywhere.", in: browser)
                try await story.open("/account", in: other)
                try await other.expect("Sign in")

                try await other.signIn(as: .ben)
                try await other.expect("Where you are signed in")
                try await story.open("/admin/sessions")
                try await browser.press("Sign out Ben Example")
                try await browser.expect("Sign this browser out?", in: all)
                try await browser.press("Sign out")
                try await expect("Sign-ins", saying: "The browser is signed out.", in: browser)
                try await story.open("/account", in: other)
                try await other.expect("Sign in")
            }
        }
    }

    @Test func `hands over a link for a new password, which sets one`() async throws {
        try await play(.desk) { story in
            let browser = story.browser
            try await story.open(ben)
            try await browser.press("Make a link for a new password")
            try await browser.expect("The link is made", in: all)
            let link = try await browser.element(".credential").text()
            try await Browser.with(.phone) { other in
                try await other.open(link)
                try await other.wait(for: "the page of the link") { try await other.heading() == "Set a new password" }
                try await typeNewPassword(in: other)
                try await other.press("Set the password")
                try await other.expect("Your new password counts from now on")
                try await story.open("/login", in: other)
                try await other.signIn(as: .ben, password: new)
                try await other.expect("Where you are signed in")
            }
        }
    }

    @Test func `removes second factors and a device, gives a role, changes and removes somebody`() async throws {
        try await play(.desk) { story in
            let (browser, subject, now) = (story.browser, JourneyPerson.ben.subject, story.server.clock.date)
            try await story.server.change { repositories in
                var device = EnrolledDevice(
                    id: DeviceRegistration.ID("d1"), dialect: .shared, subject: subject, signIn: nil, created: now)
                device.rename("Ben’s phone")
                try repositories.devices.insert(device)
                try repositories.oneTimePasswords.keep(
                    OneTimePasswordRecord(subject: subject, sealedSecret: [1, 2, 3], enrolled: now))
                try repositories.mutes.keep(
                    Mute(subject: subject, client: JourneyParties.backend, cause: .reported, since: now))
            }
            try await story.open(ben)
            try await browser.expect("Ben Example", in: all)
            try await browser.press("Remove second factors")
            try await browser.expect("Remove the second factors?", in: all)
            try await browser.press("Remove second factors")
            try await expect("Ben Example", saying: "The second factors are removed.", in: browser)

            try await browser.press("Let it ask again Backend")
            try await expect("Ben Example", saying: "The app may ask the person again.", in: browser)
            #expect(try await !browser.offers("Let it ask again Backend"))

            try await browser.press("Revoke Ben’s phone")
            try await browser.expect("Revoke this device?", in: all)
            try await browser.press("Revoke")
            try await expect("Ben Example", saying: "The device is revoked.", in: browser)
            #expect(try await !browser.offers("Revoke Ben’s phone"))

            try await browser.element("#role option[value=helpdesk]").click()
            try await browser.press("Set the role")
            try await expect("Ben Example", saying: "The role is set.", in: browser)
            try await browser.element("#zoneinfo").type("Vienna")
            try await browser.press("Change the person")
            try await browser.expect("Ben Example", answering: 422, in: all)
            try await browser.element("#zoneinfo").clear()
            try await browser.element("#zoneinfo").type("Europe/Vienna")
            try await browser.press("Change the person")
            let changed = "The person is changed. Apps learn of it with their next tokens."
            try await expect("Ben Example", saying: changed, in: browser)

            try await browser.press("Remove the account")
            try await browser.expect("Remove this account?", in: all)
            try await browser.press("Remove the account")
            try await expect("People", saying: "The account is removed.", in: browser)
            #expect(try await !browser.offers("Ben Example"))
        }
    }

    @Test func `adds an app, changes it, and removes it`() async throws {
        try await play(.largePhone.withoutScripts) { story in
            let browser = story.browser
            try await story.open("/admin/clients")
            try await browser.press("Add an app")
            try await browser.expect("Add an app")
            try await browser.element("#client").type("juke box")
            try await browser.element("#kind option[value=confidential]").click()
            try await browser.element("#name").type("Jukebox")
            try await browser.element("#redirect-uri").type("https://jukebox.example.org/done")
            try await browser.press("Add an app")
            try await browser.expect("Add an app", answering: 422)
            try await browser.element("#client").clear()
            try await browser.element("#client").type("jukebox")
            try await browser.press("Add an app")
            try await browser.expect("The app is added.", in: all)
            #expect(try await !browser.element(".credential").text().isEmpty)

            try await browser.press("Back: Apps")
            try await browser.press("Jukebox")
            try await browser.press("Change the app")
            try await browser.expect("Change the app")
            try await browser.element("#name").clear()
            try await browser.element("#name").type("Gramophone")
            try await browser.press("Change the app")
            try await expect("Gramophone", saying: "The app is changed.", in: browser)
            try await browser.press("Remove the app")
            try await browser.expect("Remove this app?", in: all)
            try await browser.press("Remove it")
            try await expect("Apps", saying: "The app is removed.", in: browser)
            #expect(try await !browser.offers("Gramophone"))
        }
    }

    @Test func `declares a claim after a refusal, and removes it`() async throws {
        try await play(.largePhone.withoutScripts) { story in
            let browser = story.browser
            try await story.open("/admin/claims")
            try await browser.element("#claim").type("department")
            try await browser.element("#from").clear()
            try await browser.element("#from").type("attribute:department")
            try await browser.press("Declare a claim")
            try await browser.expect("Claims", answering: 422)
            #expect(try await browser.text().contains("Say by Scope which word of a scope gives department."))
            try await browser.element("#scope").type("department")
            try await browser.press("Declare a claim")
            try await browser.expect("Claims", in: all)
            #expect(try await browser.element(".notice").text() == "The claim is declared.")
            try await browser.press("Remove the claim department")
            try await browser.expect("Remove this claim?", in: all)
            try await browser.press("Remove it")
            try await expect("Claims", saying: "The claim is removed.", in: browser)
            #expect(try await !browser.offers("Remove the claim department"))
        }
    }

    @Test func `mints a registration token, which is shown once, and removes it`() async throws {
        try await play(.largePhone.withoutScripts) { story in
            let browser = story.browser
            try await story.open("/admin/registration-tokens")
            try await browser.element("#uses").clear()
            try await browser.element("#uses").type("none")
            try await browser.press("Mint a token")
            try await browser.expect("Registration tokens", answering: 422)
            try await browser.element("#uses").clear()
            try await browser.element("#uses").type("20")
            try await browser.element("#scope").type("email")
            try await browser.element("#client-credentials option[value=allowed]").click()
            try await browser.press("Mint a token")
            try await browser.expect("The token is minted", in: all)
            let token = try await browser.element(".credential").text()
            #expect(!token.isEmpty)
            try await browser.press("Back: Registration tokens")
            try await browser.expect("Registration tokens", in: all)
            #expect(try await !browser.text().contains(token))
            let store = try #require(await story.server.store)
            let tokens = try await store.read { try $0.initialAccessTokens.all() }
            let id = try #require(tokens.map(\.id).first)
            try await browser.press("Remove the token \(id)")
            try await browser.expect("Remove this token?", in: all)
            try await browser.press("Remove it")
            try await expect("Registration tokens", saying: "The token is removed.", in: browser)
            #expect(try await !browser.offers("Remove the token \(id)"))
        }
    }

    @Test func `lifts a limit that holds somebody back`() async throws {
        try await play(.largePhone.withoutScripts) { story in
            let browser = story.browser
            let keys: [RateLimitKey] = [
                .overall(.mailOverall), .subject(.mailPerPerson, JourneyPerson.ben.subject),
                .address(.startPerAddress, "198.51.100.7"),
            ]
            let limiter = StoredRateLimiter(limits: Limits(), clock: story.server.clock.source)
            try await story.server.change { repositories in
                for key in keys {
                    let limit = try #require(limiter.limits[key])
                    _ = try limiter.count(limit.most, to: key, limit, in: repositories)
                }
            }
            try await story.open("/admin/limits")
            try await browser.expect("Limits reached", in: all, axe: .firstAndLast)
            #expect(try await browser.offers("Lift the limit mail-overall"))
            for name in ["mail-per-person ben", "start-per-address 198.51.100.7"] {
                try await browser.press("Lift the limit \(name)")
                let notice = "The limit is lifted. The party may go on at once."
                try await expect("Limits reached", saying: notice, in: browser)
                #expect(try await !browser.offers("Lift the limit \(name)"))
            }
            #expect(try await browser.offers("Lift the limit mail-overall"))
        }
    }

    @Test func `tries a provider out, and verifies the audit`() async throws {
        try await play(.desk) { story in
            let browser = story.browser
            // The server is its own provider, which refuses the secret.
            let provider = IdentityProvider(
                id: IdentityProvider.ID("upstream"), displayName: "Upstream",
                issuer: IdentityIssuer(story.server.issuer.text),
                kind: .openID(
                    IdentityProvider.OpenID(
                        client: JourneyParties.shop, credential: .secret("another-7d9f1c2b3a4e5f60"),
                        scope: Scope([.profile]))),
                created: story.server.clock.date)
            try await story.server.change { try $0.identityProviders.insert(provider) }
            try await story.open("/admin/providers")
            try await browser.press("Try it out Upstream")
            try await browser.expect("Upstream", in: all)
            let findings = try await browser.text()
            #expect(findings.contains("In order") && findings.contains("To be mended"), "\(findings)")

            try await story.open("/admin/audit")
            try await browser.press("Verify the audit")
            try await browser.expect("Audit", in: all, axe: .firstAndLast)
            #expect(try await browser.element(".notice").text().hasPrefix("The audit is sound up to entry "))
        }
    }
}
