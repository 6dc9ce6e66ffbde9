import Countersign
import CountersignServer
import CountersignTesting
import Foundation
import Testing

@Suite("An administrator with a browser", .timeLimit(.minutes(10)))
struct DomainsInBrowserTests {
    @Test func `adds a service, changes it, renews its credential and removes it`() async throws {
        try await BrowserStory.play(.phone) { story in
            let browser = story.browser
            try await story.promote(.anna)
            try await story.open("/admin")
            try await browser.expect("Sign in")
            try await browser.signIn(as: .anna)
            try await browser.expect("People")
            try await browser.press("Services")
            try await browser.expect("Services")
            try await browser.press("Add a service")
            try await browser.expect("Add a second factor first", answering: 403)
            try await story.proveTwoFactors(as: .anna)
            try await story.open("/admin/domains")
            try await browser.press("Add a service")
            try await browser.expect("Add a service")

            try await browser.element("#domain").type("https://radio.example.com")
            try await browser.element("#display_name").type("Radio Example")
            try await browser.press("Save")
            try await browser.expect("Add a service", answering: 422)
            #expect(try await browser.element("#domain_problem").text().contains("No https://"))
            try await browser.element("#domain").clear()
            try await browser.element("#domain").type("radio.example.com")
            try await browser.element("#sign_on_automatic").click()
            try await browser.element("#group").type("public")
            try await browser.element("#redirect_uris").type("https://radio.example.com/done")
            try await browser.press("Save")
            try await browser.expect("The service is added")
            let first = try await browser.element(".credential").text()

            try await browser.press("Back to the services")
            try await browser.press("Change Radio Example")
            try await browser.expect("Change a service")
            #expect(try await browser.element("#sign_on_automatic").property("checked").bool == true)
            try await browser.press("Renew the credential")
            try await browser.expect("Renew this credential?")
            try await browser.press("Renew it")
            try await browser.expect("The credential is renewed")
            #expect(try await browser.element(".credential").text() != first)

            try await story.open("/admin/domains")
            try await browser.press("Remove Radio Example")
            try await browser.expect("Remove this service?")
            try await browser.press("Remove it")
            try await browser.expect("Services")
            #expect(try await browser.text().contains("There is no service yet."))
        }
    }

    @Test func `is somebody who was given the right: a person who is no administrator is turned away`() async throws {
        try await BrowserStory.play(.phone) { story in
            try await story.promote(.anna)
            try await story.visitAsSomebody(.ben)
            for path in ["/admin", "/admin/domains", "/admin/domains/add"] {
                try await story.open(path)
                try await story.browser.expect("For administrators only", answering: 403)
            }
        }
    }
}

extension BrowserStory {
    /// Makes a person an administrator.
    func promote(_ person: JourneyPerson) async throws {
        try await server.change { repositories in
            var record = try #require(try repositories.people.find(person.subject))
            record.role = .operator
            try repositories.people.update(record)
        }
    }

    /// Notes in the sessions of a person that they have just proved two factors.
    func proveTwoFactors(as person: JourneyPerson) async throws {
        let now = server.clock.date
        try await server.change { repositories in
            for session in try repositories.browserSessions.all(of: person.subject) {
                try repositories.browserSessions.remove(session.cookie)
                try repositories.browserSessions.insert(
                    BrowserSession(
                        cookie: session.cookie, id: session.id, subject: session.subject, authenticated: now,
                        expires: session.expires, by: .passkey, at: session.browser, lastUsed: now))
            }
        }
    }
}
