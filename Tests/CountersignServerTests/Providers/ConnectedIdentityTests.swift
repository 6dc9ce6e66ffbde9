import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The identities that a person connects")
struct ConnectedIdentityTests {
    /// Connects the provider's person with the one of a browser, by the account page.
    private func connect(_ browser: TestBrowser, at provider: TestProvider) async throws -> TestResponse {
        let begun = try await browser.post("account/connect", ["provider": provider.id.rawValue])
        return try await provider.arrive(browser, at: try provider.arrival(from: try #require(begun.departure)))
    }

    private func disconnect(_ browser: TestBrowser, from provider: TestProvider) async throws -> TestResponse {
        try await browser.confirm(
            "account/disconnect",
            ["issuer": provider.other.issuer, "identity": provider.other.person.subject.rawValue]
        )
    }

    @Test func `are listed, sign in from then on, and are disconnected again`() async throws {
        try await TestProvider.open { provider in
            let anna = try await provider.server.browser(of: .anna)
            #expect(try await connect(anna, at: provider).location == "/account?done=connected")
            let identity = try #require(try await provider.identities().first)
            #expect(identity.issuer.rawValue == provider.other.issuer && identity.label == "anna@example.com")
            let page = try await anna.get("account").text
            #expect(page.contains("anna@example.com") && page.contains("Your password"))
            #expect(try await provider.signIn(try await provider.server.newBrowser()).location == "/activate")

            #expect(try await disconnect(anna, from: provider).location == "/account?done=disconnected")
            #expect(try await provider.identities().isEmpty)
            #expect(try await provider.signIn(try await provider.server.newBrowser()).isProblem(.notConnected))
            #expect(try await disconnect(anna, from: provider).location == "/account?done=nothing")
            let acts = try await provider.server.store.read { try $0.audit.entries(before: .max, limit: 100) }
                .map(\.facts.act)
            #expect(acts.contains(.identityConnected) && acts.contains(.identityDisconnected))
        }
    }

    @Test func `are connected also where the provider does not say when the person signed in there`() async throws {
        try await TestProvider.open { provider in
            provider.other.lie(in: [.noAuthTime])
            let anna = try await provider.server.browser(of: .anna)
            #expect(try await connect(anna, at: provider).location == "/account?done=connected")
            #expect(try await provider.identities().count == 1)
        }
    }

    @Test func `are several, also at one provider`() async throws {
        try await TestProvider.open { provider in
            let anna = try await provider.server.browser(of: .anna)
            for number in 1...3 {
                provider.other.person.subject = Subject("person-\(number)")
                #expect(try await connect(anna, at: provider).location == "/account?done=connected")
                // Once more changes nothing.
                #expect(try await connect(anna, at: provider).location == "/account?done=connected")
            }
            #expect(try await provider.identities().map(\.subject) == ["person-1", "person-2", "person-3"])
        }
    }

    @Test func `are nobody else’s: one that is connected stays with its person`() async throws {
        try await TestProvider.open { provider in
            try await provider.connect(.bert)
            let anna = try await provider.server.browser(of: .anna)
            #expect(try await connect(anna, at: provider).isProblem(.another))
            #expect(try await provider.identities(of: .anna).isEmpty)
            #expect(try await provider.identities(of: .bert).count == 1)
            // Nor can Anna disconnect what is Bert’s.
            #expect(try await disconnect(anna, from: provider).location == "/account?done=nothing")
            #expect(try await provider.identities(of: .bert).count == 1)
        }
    }

    @Test func `need a person who has just signed in`() async throws {
        try await TestProvider.open { provider in
            try await provider.connect()
            let anna = try await provider.server.browser(of: .anna)
            provider.server.clock.advance(by: .seconds(301))
            let begun = try await anna.post("account/connect", ["provider": "work"])
            #expect(begun.location == "/login?again=recent&return_to=%2Faccount")
            #expect(try await disconnect(anna, from: provider).location == begun.location)
            #expect(try await provider.identities().count == 1)
            let page = try await anna.get("login?again=recent&return_to=%2Faccount")
            #expect(page.text.contains("first sign in once more"))
        }
    }

    @Test func `are connected for the person who began it, and for nobody else at the browser`() async throws {
        try await TestProvider.open { provider in
            let anna = try await provider.server.browser(of: .anna)
            let begun = try await anna.post("account/connect", ["provider": "work"])
            let back = try provider.arrival(from: try #require(begun.departure))
            // A connection that an attacker began in their own browser is nothing in that of a victim.
            let bert = try await provider.server.browser(of: .bert)
            #expect(try await provider.arrive(bert, at: back).isProblem(.notStarted))
            // Nor does it count after Anna has signed out.
            _ = try await anna.confirm("logout")
            #expect(try await provider.arrive(anna, at: back).isProblem(.notStarted))
            for person in TestPerson.allCases { #expect(try await provider.identities(of: person).isEmpty) }
        }
    }

    @Test(arguments: ["account/connect", "account/disconnect"])
    func `are changed by forms of this server alone`(path: String) async throws {
        try await TestProvider.open { provider in
            try await provider.connect()
            let anna = try await provider.server.browser(of: .anna)
            let form: Form = [
                "provider": "work", "issuer": provider.other.issuer,
                "identity": provider.other.person.subject.rawValue,
            ]
            var forged = form
            forged["form_token"] = try await provider.server.browser(of: .bert).formToken
            #expect(try await anna.post(path, forged).status == .forbidden)
            let foreign = try await anna.post(path, form, headers: [.secFetchSite: "cross-site"])
            #expect(foreign.status == .forbidden)
            #expect(try await anna.get(path).status == .methodNotAllowed)
            let stranger = try await provider.server.newBrowser()
            #expect(try await stranger.post(path, form).status == .forbidden)
            #expect(try await provider.identities().count == 1)
        }
    }

    @Test func `are never taken away when they are the last way to sign in`() async throws {
        try await TestProvider.open(editing: { $0.makesAccounts = true }) { provider in
            let server = provider.server
            let cookie = try #require(try await provider.signIn(try await server.newBrowser()).givenCookie)
            let account = try await server.get("/account", headers: [.cookie: cookie])
            #expect(!account.text.contains("Your password"))
            let browser = TestBrowser(
                server: server, cookie: cookie, formToken: try #require(account.field("form_token")))
            #expect(try await disconnect(browser, from: provider).location == "/account?done=last-way")
            #expect(try await browser.get("account?done=last-way").text.contains("only way to sign in"))

            // One at a provider that is not there any more does not count.
            let person = try #require(try await provider.people().first { $0.password == nil })
            try await server.change { repositories in
                try repositories.identities.insert(
                    LinkedIdentity(
                        issuer: IdentityIssuer("https://gone.example"), subject: "1", person: person.subject,
                        label: nil,
                        linked: person.created)
                )
            }
            #expect(try await disconnect(browser, from: provider).location == "/account?done=last-way")
            // A second one that works does.
            let first = provider.other.person
            provider.other.person.subject = Subject("another")
            #expect(try await connect(browser, at: provider).location == "/account?done=connected")
            provider.other.person = first
            #expect(try await disconnect(browser, from: provider).location == "/account?done=disconnected")
        }
    }

    @Test func `make no account with an address that somebody has, so that it still signs them in`() async throws {
        try await TestProvider.open(editing: { $0.makesAccounts = true }) { provider in
            provider.other.person.email = "Anna@example.org"
            provider.other.person.isEmailVerified = true
            let back = try await provider.signIn(try await provider.server.newBrowser())
            #expect(back.location == "/activate")
            let known = Set(TestPerson.allCases.map(\.subject))
            let made = try await provider.people().filter { !known.contains($0.subject) }
            #expect(made.map(\.email) == [nil])
            #expect(try await provider.server.signsIn("anna@example.org", TestPerson.anna.password.revealed))
        }
    }
}
