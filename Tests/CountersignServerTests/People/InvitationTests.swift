import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("An invitation", .server)
struct InvitationTests {
    private let server = TestServer.current

    private func person(_ name: String) async throws -> Person? {
        try await server.store.read { try $0.people.find(Username(name)) }
    }

    @Test func `creates the person with a name and password of their own, who is signed in`() async throws {
        let secret = try await server.invitation(of: "carla@example.org")
        let browser = try await server.newBrowser()
        let page = try await browser.post("link", ["link": secret.revealed])
        #expect(page.status == .ok && page.text.contains("Create your account"))
        #expect(page.field("username") == "carla@example.org")
        let answer = try await browser.useLink(
            secret, at: "link/account", ["username": "Carla", "name": " Carla Öst "])
        #expect(answer.location == "/account")
        let carla = try #require(try await person("carla"))
        #expect(carla.name == "Carla Öst" && carla.email == "carla@example.org" && !carla.isAdministrator)
        #expect(try await server.signsIn("carla@example.org", "seven slow snails"))
        let cookie = try #require(answer.givenCookie)
        #expect(try await server.get("/account", headers: [.cookie: cookie]).text.contains("Carla Öst"))
        #expect(try await server.audited(.personInvited).map(\.by) == [.operator])
        #expect(try await server.audited(.personAdded).map(\.detail) == ["by an invitation"])
        #expect(try await browser.useLink(secret, at: "link/account", ["username": "carl"]).status == .gone)
    }

    @Test func `creates the person with a passkey in place of a password`() async throws {
        let secret = try await server.invitation()
        let browser = try await server.newBrowser()
        let page = try await browser.post("link/passkey", ["link": secret.revealed, "username": "carla"])
        #expect(page.status == .ok, "\(page.text)")
        #expect(try await person("carla") == nil)
        var phone = SoftwareAuthenticator(drawingFrom: SeededRandom(seed: 1).source)
        let options = try #require(try browser.options(page, as: CredentialCreationOptions.self))
        let form: Form = [
            "link": secret.revealed, "username": "carla", "credential": phone.create(options, at: browser.origin),
        ]
        #expect(try await browser.post("link/passkey", form).location == "/account")
        let carla = try #require(try await person("carla"))
        #expect(carla.password == nil && carla.name == "carla")
        let stranger = try await server.newBrowser()
        let signedIn = try await stranger.post(
            "login/passkey", ["credential": phone.get(try await stranger.signInOptions(), at: stranger.origin)])
        #expect(signedIn.location == "/account")
        #expect(try await browser.post("link/passkey", form).status == .gone)
    }

    @Test(arguments: [
        ("", "", "cannot be your username"), ("two words", "", "cannot be your username"),
        ("bert", "", "is taken"), ("carla", "a\u{202E}b", "cannot have"),
        ("carla", String(repeating: "x", count: 1025), "too long"),
    ])
    func `refuses a name, and can be used again`(username: String, name: String, words: String) async throws {
        let secret = try await server.invitation()
        let browser = try await server.newBrowser()
        for path in ["link/account", "link/passkey"] {
            let answer = try await browser.useLink(secret, at: path, ["username": username, "name": name])
            #expect(answer.status == .unprocessableContent && answer.text.contains(words), "\(answer.text)")
        }
        #expect(try await browser.useLink(secret, at: "link/account", ["username": "carla"]).location == "/account")
    }

    @Test func `refuses a password that others guess from the chosen names`() async throws {
        let secret = try await server.invitation()
        let browser = try await server.newBrowser()
        let answer = try await browser.useLink(
            secret, at: "link/account", ["username": "carla", "name": "Carla Østergaard"], password: "østergaard1")
        #expect(answer.status == .unprocessableContent && answer.text.contains("others know"))
        #expect(answer.field("username") == "carla" && answer.field("name") == "Carla Østergaard")
    }

    @Test func `is ended by a newer one to the same address, and not by others`() async throws {
        let first = try await server.invitation(of: "carla@example.org")
        let other = try await server.invitation(of: "carl@example.org")
        let nameless = try await server.invitation()
        let second = try await server.invitation(of: "Carla@Example.org")
        let browser = try await server.newBrowser()
        #expect(try await browser.post("link", ["link": first.revealed]).status == .gone)
        for secret in [other, nameless, second] {
            #expect(try await browser.post("link", ["link": secret.revealed]).status == .ok)
        }
    }

    @Test func `leaves an address out that somebody got meanwhile, so that it still signs them in`() async throws {
        let secret = try await server.invitation(of: "carla@example.org")
        try await server.change(.anna) { $0.changeEmail(to: "carla@example.org", isVerified: true) }
        let browser = try await server.newBrowser()
        let named = try await browser.useLink(secret, at: "link/account", ["username": "carla@example.org"])
        #expect(named.status == .unprocessableContent && named.text.contains("cannot be your username"))
        #expect(try await browser.useLink(secret, at: "link/account", ["username": "carla"]).location == "/account")
        let carla = try #require(try await person("carla"))
        #expect(carla.email == nil)
        #expect(try await server.signsIn("carla@example.org", TestPerson.anna.password.revealed))
    }
}
