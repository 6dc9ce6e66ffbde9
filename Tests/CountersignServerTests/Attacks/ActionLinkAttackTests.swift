import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("Somebody who abuses links", .server)
struct ActionLinkAttackTests {
    private let server = TestServer.current

    @Test func `uses one twice at once, and sets one password`() async throws {
        let secret = try await server.link()
        let browsers = [try await server.newBrowser(), try await server.newBrowser()]
        let passwords = ["seven slow snails", "eight slow snails"]
        let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for (browser, password) in zip(browsers, passwords) {
                group.addTask { try await browser.useLink(secret, password: password).status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(statuses) == [.ok, .gone])
        #expect(try await server.audited(.passwordChanged).count == 1)
    }

    @Test func `takes an invitation twice at once, and gets one account`() async throws {
        let secret = try await server.invitation()
        let browsers = [try await server.newBrowser(), try await server.newBrowser()]
        let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for (browser, name) in zip(browsers, ["carla", "carlo"]) {
                group.addTask {
                    try await browser.useLink(secret, at: "link/account", ["username": name]).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(statuses) == [.seeOther, .gone])
        #expect(try await server.audited(.personAdded).count == 1)
    }

    @Test func `does with one only what it is for`() async throws {
        let reset = try await server.link()
        let invitation = try await server.invitation()
        let browser = try await server.newBrowser()
        let names = ["username": "carla", "name": "Carla"]
        #expect(try await browser.useLink(reset, at: "link/account", names).status == .gone)
        #expect(try await browser.useLink(reset, at: "link/passkey", names).status == .gone)
        #expect(try await browser.useLink(invitation, ["username": "anna"]).status == .gone)
        #expect(try await server.store.read { try $0.people.find(Username("carla")) } == nil)
        #expect(try await browser.useLink(reset).status == .ok)
        #expect(try await browser.useLink(invitation, at: "link/account", names).status == .seeOther)
    }

    @Test func `changes the person by no field of the form`() async throws {
        let secret = try await server.link(for: TestPerson.bert.subject)
        let browser = try await server.newBrowser()
        let answer = try await browser.useLink(
            secret, ["username": "anna", "subject": TestPerson.anna.subject.rawValue])
        #expect(answer.status == .ok)
        #expect(try await server.signsIn("anna", TestPerson.anna.password.revealed))
        #expect(try await server.signsIn("bert", "seven slow snails"))
    }

    @Test func `sends it from another site, or without the cookie of the form`() async throws {
        let secret = try await server.link()
        let browser = try await server.newBrowser()
        let form = Form.newPassword().replacing(["link": secret.revealed])
        let foreign = try await browser.post("link/password", form, headers: [.secFetchSite: "cross-site"])
        #expect(foreign.status == .forbidden)
        #expect(try await server.post("/link/password", form).status == .forbidden)
        let misled = try await browser.post("link/password", form, headers: [.askedHost: "evil.example"])
        #expect(misled.status == .misdirectedRequest)
        #expect(try await server.signsIn("anna", TestPerson.anna.password.revealed))
    }

    @Test(.server { $0.limits[.wrongProofPerAddress] = Limit(3, in: 60) })
    func `guesses, and meets the limit of wrong proofs`() async throws {
        let server = TestServer.current
        let browser = try await server.newBrowser()
        let secret = try await server.link()
        var statuses: [HTTPResponse.Status] = []
        for number in 0..<5 {
            statuses.append(try await browser.post("link", ["link": "guess-\(number)"]).status)
        }
        #expect(statuses == [.gone, .gone, .gone, .tooManyRequests, .tooManyRequests])
        #expect(try await browser.useLink(secret).status == .ok)
    }

    @Test func `posts what is no link`() async throws {
        let browser = try await server.newBrowser()
        for text in ["", " ", "#", "https://localhost:8080/link#", String(repeating: "x", count: 3000)] {
            let answer = try await browser.post("link", ["link": text])
            #expect(answer.status == .gone && answer.text.contains("This link does not work"), "\(text.prefix(40))")
        }
    }

    /// A user name that is an e-mail address is found before the person with that address.
    @Test func `invited, takes the address of another as their name`() async throws {
        let secret = try await server.invitation(of: "carla@example.org")
        let browser = try await server.newBrowser()
        let refused = try await browser.useLink(secret, at: "link/account", ["username": "Anna@example.org"])
        #expect(refused.status == .unprocessableContent && refused.text.contains("cannot be your username"))
        #expect(try await server.signsIn("anna@example.org", TestPerson.anna.password.revealed))
        let own = try await browser.useLink(secret, at: "link/account", ["username": "Carla@example.org"])
        #expect(own.location == "/account")
    }
}
